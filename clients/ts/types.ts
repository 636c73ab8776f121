// Types of the interface of Kalends, written from its document (GET /doc) by go test ./api -update.

export const version = "1.6.0";

export interface Root {
  namespace: string;
  routes: Record<string, Record<string, unknown>>;
  _links: Record<string, Record<string, unknown>[]>;
}

export interface Document {
  openapi: string;
  info: Record<string, unknown>;
  servers: Record<string, unknown>[];
  tags: Record<string, unknown>[];
  paths: Record<string, unknown>;
  components: Record<string, unknown>;
}

export interface EventList {
  events: Event[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Event {
  id: number;
  global_id: string;
  global_id_lineage: string[];
  author: string;
  status: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  rest_url: string;
  title: string;
  description: string;
  excerpt: string;
  slug: string;
  image: boolean | Image;
  all_day: boolean | null;
  start_date: string;
  start_date_details: DateDetails;
  end_date: string;
  end_date_details: DateDetails;
  utc_start_date: string;
  utc_start_date_details: DateDetails;
  utc_end_date: string;
  utc_end_date_details: DateDetails;
  timezone: string;
  timezone_abbr: string;
  cost: string;
  cost_details: CostDetails;
  website: string;
  show_map: boolean | null;
  show_map_link: boolean | null;
  hide_from_listings: boolean | null;
  sticky: boolean | null;
  featured: boolean | null;
  categories: EventTerm[];
  tags: EventTerm[];
  venue: Venue | Venue[];
  organizer: Organizer[];
  custom_fields: unknown[];
  post_parent?: number;
  tickets?: Ticket[];
  event_status?: "cancelled" | "postponed" | "rescheduled";
  event_status_reason?: string;
  previous_start_date?: string;
  attendance_mode?: "online" | "mixed";
  virtual_url?: string;
  virtual_url_shown?: "started" | "never";
  end_unknown?: boolean;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[];
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[];
  seo_title?: string;
  seo_description?: string;
  series?: Series;
  source?: Record<string, unknown>;
  recurrence?: Recurrence;
  json_ld?: Record<string, unknown>;
  content_language?: string;
  translations?: string[] | Record<string, Texts>;
}

export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

export interface CostDetails {
  currency_symbol: string;
  currency_code: string;
  currency_position: "prefix" | "postfix" | "";
  values: string[];
}

export interface EventTerm {
  name: string;
  slug: string;
  term_group: number;
  term_taxonomy_id: number;
  taxonomy: "tribe_events_cat" | "post_tag";
  description: string;
  parent: number;
  count: number;
  filter: string;
  id: number;
  urls: TermURLs;
  content_language?: string;
  translations?: string[] | Record<string, Texts>;
}

export interface TermURLs {
  self: string;
  collection: string;
  up?: string;
}

export interface Ticket {
  name: string;
  url?: string;
  price?: number;
  currency?: string;
  available_from?: string;
  available_until?: string;
  status?: "available" | "sold_out" | "presale" | "closed";
}

export interface Series {
  id: number;
  original_start: string;
  rest_url: string;
}

export interface Recurrence {
  rrule: string | string[];
  rdate: string[];
  exdate: string[];
  text: string;
  next: string[];
  exceptions: Series[];
  stored_until?: string;
}

export interface EventPreview {
  occurrences: Record<string, unknown>[];
  timezone: string;
  recurrence?: Recurrence;
}

export interface VenueList {
  venues: Venue[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Venue {
  id: number;
  author: string;
  status: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  venue: string;
  description?: string;
  excerpt?: string;
  slug?: string;
  image?: Image;
  address?: string;
  city?: string;
  country?: string;
  province?: string;
  state?: string;
  zip?: string;
  phone?: string;
  website?: string;
  stateprovince?: string;
  geo_lat?: number;
  geo_lng?: number;
  json_ld?: Record<string, unknown>;
  show_map: boolean;
  show_map_link: boolean;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[];
  global_id: string;
  global_id_lineage: string[];
  content_language?: string;
  translations?: string[] | Record<string, Texts>;
}

export interface OrganizerList {
  organizers: Organizer[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Organizer {
  id: number;
  author: string;
  status: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  organizer: string;
  description?: string;
  excerpt?: string;
  slug?: string;
  image?: Image;
  phone?: string;
  website?: string;
  email?: string;
  json_ld?: Record<string, unknown>;
  global_id: string;
  global_id_lineage: string[];
  content_language?: string;
  translations?: string[] | Record<string, Texts>;
}

export interface CategoryList {
  categories: Category[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Category {
  id: number;
  count: number;
  description: string;
  name: string;
  slug: string;
  taxonomy: "tribe_events_cat";
  parent: number;
  meta: unknown[];
  url: string;
  urls: TermURLs;
  _links?: Record<string, Record<string, unknown>[]>;
  content_language?: string;
  translations?: string[] | Record<string, Texts>;
}

export interface TagList {
  tags: Tag[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Tag {
  id: number;
  count: number;
  description: string;
  name: string;
  slug: string;
  taxonomy: "post_tag";
  meta: unknown[];
  url: string;
  urls: TermURLs;
  _links?: Record<string, Record<string, unknown>[]>;
  content_language?: string;
  translations?: string[] | Record<string, Texts>;
}

export interface Texts {
  title?: string;
  venue?: string;
  organizer?: string;
  name?: string;
  description?: string;
  excerpt?: string;
  slug?: string;
  cost?: string;
  seo_title?: string;
  seo_description?: string;
  made_from?: number;
  outdated?: boolean;
  outdated_fields?: string[];
}

export interface Image {
  url: string;
  id: number;
  extension: string;
  width: number;
  height: number;
  filesize: number;
  sizes?: Record<string, ImageSize>;
}

export interface ImageSize {
  width: number;
  height: number;
  "mime-type": string;
  filesize: number;
  url: string;
}

export interface SubmissionList {
  submissions: Submission[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Submission {
  id?: number;
  status: "unconfirmed" | "waiting" | "accepted" | "approved" | "refused" | "withdrawn";
  token?: string;
  title: string;
  description?: string;
  all_day: boolean;
  start_date: string;
  end_date: string;
  venue?: string;
  address?: string;
  city?: string;
  cost?: string;
  website?: string;
  category?: number;
  contact_name: string;
  contact_email: string;
  note?: string;
  contact_confirmed: boolean;
  language: string;
  sent_utc: string;
  expires_utc?: string;
  decided_utc?: string;
  message?: string;
  decided_by?: string;
  rest_url?: string;
  event?: Event;
  event_url?: string;
  similar?: Record<string, unknown>[];
}

export interface SubmissionForm {
  open: boolean;
  terms: string;
  confirmed_by_email: boolean;
}

export interface ImportList {
  imports: Import[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Import {
  id: number;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  format: "ics" | "csv" | "xlsx" | "json" | "schema" | "lines" | "tec" | "site" | "undo" | null;
  dry_run: boolean;
  policy: "update" | "skip" | "replace";
  name: string | null;
  url: string | null;
  source: Record<string, unknown> | null;
  progress: number;
  counts: Record<string, number>;
  problem: Error | null;
  columns?: Record<string, string>;
  created: string;
  started: string | null;
  finished: string | null;
  undoable_until: string | null;
  undone: string | null;
  undoes?: number;
  rest_url: string;
  entries_url: string;
}

export interface ImportEntryList {
  entries: ImportEntry[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface ImportEntry {
  number: number;
  line: number | null;
  uid: string | null;
  recurrence_id: string | null;
  title: string | null;
  start_date: string | null;
  result: "created" | "changed" | "same" | "cancelled" | "refused";
  event: Record<string, unknown> | null;
  fields: string[];
  problems: Record<string, unknown>[];
  warnings: Record<string, unknown>[];
}

export interface SourceList {
  sources: Source[];
}

export interface Source {
  id: number;
  name: string;
  kind: "ics" | "table" | "json" | "schema" | "site";
  url: string;
  site: string | null;
  every: number;
  policy: "update" | "skip" | "replace";
  gone: "keep" | "cancel" | "trash";
  timezone?: unknown;
  status?: unknown;
  categories?: unknown;
  tags?: unknown;
  venue?: unknown;
  organizer?: unknown;
  columns?: unknown;
  date_order?: unknown;
  filter?: unknown;
  mapping?: unknown;
  active: boolean;
  last_read: string | null;
  last_success: string | null;
  next_read: string | null;
  reading: boolean;
  problem: Error | null;
  counts: Record<string, number> | null;
  author: string;
  created: string;
  rest_url: string;
  imports_url: string;
}

export interface ChangeList {
  changes: Change[];
  next: string;
  more: boolean;
}

export interface Change {
  type: "event" | "venue" | "organizer" | "category" | "tag" | "image";
  id: number;
  action: "created" | "updated" | "deleted";
  version: number;
  at: string;
  merged_into?: number;
  object?: Record<string, unknown>;
}

export interface Me {
  id: number;
  login: string;
  role: "administrator" | "editor" | "author" | "contributor" | "subscriber";
  key: Record<string, unknown> | null;
  scopes: ("events:read" | "events:write" | "venues:read" | "venues:write" | "organizers:read" | "organizers:write" | "terms:read" | "terms:write" | "images:read" | "images:write" | "submissions:read" | "submissions:write" | "imports:write" | "sources:write" | "changes:read" | "history:read" | "webhooks:write" | "users:read" | "users:write" | "settings:write")[];
  categories: number[];
  expires: string | null;
  site: Record<string, unknown>;
  limits: Record<string, unknown>;
}

export interface WebhookList {
  webhooks: Webhook[];
}

export interface Webhook {
  id: number;
  url: string;
  events: string[];
  filter: Record<string, unknown> | null;
  payload: "thin" | "full";
  language: string | null;
  active: boolean;
  problem: string | null;
  ed25519: boolean;
  public_key?: string;
  secret?: string;
  author: string;
  waiting: number;
  last_delivery: Record<string, unknown> | null;
  created: string | null;
  rest_url: string;
}

export interface DeliveryList {
  deliveries: Delivery[];
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface Delivery {
  id: number;
  message: string;
  try: number;
  duration: number;
  request: Record<string, unknown>;
  response: string;
  type: string;
  time: string | null;
  status: number | null;
  problem: string | null;
}

export interface Error {
  code: string;
  message: string;
  data: Record<string, unknown>;
  additional_data?: number[];
}

export type TermReference = number | string;

export type CostInput = string | number | (string | number)[] | null;

export type TermInput = (number | string | TermLink)[] | number | string | TermLink | null;

export type VenueInput = (number | VenueLink)[] | number | VenueLink | string | null;

export type OrganizerInput = (number | OrganizerLink)[] | number | OrganizerLink | string | null;

export interface EventCreate {
  author?: number | string;
  date?: string;
  date_utc?: string;
  title: string;
  description?: string | null;
  slug?: string | null;
  excerpt?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  timezone?: string | null;
  all_day?: boolean | null;
  start_date: string;
  end_date: string;
  image?: string | number | Record<string, unknown> | boolean | null;
  cost?: CostInput;
  website?: string | null;
  show_map?: boolean | null;
  show_map_link?: boolean | null;
  hide_from_listings?: boolean | null;
  sticky?: boolean | null;
  featured?: boolean | null;
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  tickets?: Record<string, unknown>[] | null;
  post_parent?: number | null;
  post_password?: string | null;
  recurrence?: Record<string, unknown> | string | null;
  applies_to?: "this" | "following" | "all";
  exceptions?: "keep" | "reset";
  event_status?: "scheduled" | "cancelled" | "canceled" | "postponed" | "rescheduled";
  event_status_reason?: string | null;
  attendance_mode?: "offline" | "online" | "mixed";
  virtual_url?: string | null;
  virtual_url_shown?: "always" | "started" | "never";
  end_unknown?: boolean | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[] | "toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors" | null;
  seo_title?: string | null;
  seo_description?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface EventPreviewFields {
  timezone?: string | null;
  all_day?: boolean | null;
  start_date: string;
  end_date: string;
  recurrence?: Record<string, unknown> | string | null;
}

export interface EventUpdate {
  password?: string | null;
  author?: number | string;
  date?: string;
  date_utc?: string;
  title?: string;
  description?: string | null;
  slug?: string | null;
  excerpt?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  timezone?: string | null;
  all_day?: boolean | null;
  start_date?: string;
  end_date?: string;
  image?: string | number | Record<string, unknown> | boolean | null;
  cost?: CostInput;
  website?: string | null;
  show_map?: boolean | null;
  show_map_link?: boolean | null;
  hide_from_listings?: boolean | null;
  sticky?: boolean | null;
  featured?: boolean | null;
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  tickets?: Record<string, unknown>[] | null;
  post_parent?: number | null;
  post_password?: string | null;
  recurrence?: Record<string, unknown> | string | null;
  applies_to?: "this" | "following" | "all";
  exceptions?: "keep" | "reset";
  event_status?: "scheduled" | "cancelled" | "canceled" | "postponed" | "rescheduled";
  event_status_reason?: string | null;
  attendance_mode?: "offline" | "online" | "mixed";
  virtual_url?: string | null;
  virtual_url_shown?: "always" | "started" | "never";
  end_unknown?: boolean | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[] | "toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors" | null;
  seo_title?: string | null;
  seo_description?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
  source?: Record<string, unknown> | string | null;
}

export interface EventUpdateBySlug {
  author?: number | string;
  date?: string;
  date_utc?: string;
  title?: string;
  description?: string | null;
  slug?: string | null;
  excerpt?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  timezone?: string | null;
  all_day?: boolean | null;
  start_date?: string;
  end_date?: string;
  image?: string | number | Record<string, unknown> | boolean | null;
  cost?: CostInput;
  website?: string | null;
  show_map?: boolean | null;
  show_map_link?: boolean | null;
  hide_from_listings?: boolean | null;
  sticky?: boolean | null;
  featured?: boolean | null;
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  tickets?: Record<string, unknown>[] | null;
  post_parent?: number | null;
  post_password?: string | null;
  recurrence?: Record<string, unknown> | string | null;
  applies_to?: "this" | "following" | "all";
  exceptions?: "keep" | "reset";
  event_status?: "scheduled" | "cancelled" | "canceled" | "postponed" | "rescheduled";
  event_status_reason?: string | null;
  attendance_mode?: "offline" | "online" | "mixed";
  virtual_url?: string | null;
  virtual_url_shown?: "always" | "started" | "never";
  end_unknown?: boolean | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[] | "toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors" | null;
  seo_title?: string | null;
  seo_description?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
  source?: Record<string, unknown> | string | null;
}

export interface VenueCreate {
  author?: number | string;
  date?: string;
  date_utc?: string;
  venue: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  show_map?: string | boolean | null;
  show_map_link?: string | boolean | null;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface VenueUpdate {
  author?: number | string;
  date?: string;
  date_utc?: string;
  venue?: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  show_map?: string | boolean | null;
  show_map_link?: string | boolean | null;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface VenueUpdateBySlug {
  author?: number | string;
  date?: string;
  date_utc?: string;
  venue?: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  show_map?: string | boolean | null;
  show_map_link?: string | boolean | null;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface OrganizerCreate {
  author?: number | string;
  date?: string;
  date_utc?: string;
  organizer: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface OrganizerUpdate {
  author?: number | string;
  date?: string;
  date_utc?: string;
  organizer?: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface OrganizerUpdateBySlug {
  author?: number | string;
  date?: string;
  date_utc?: string;
  organizer?: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface CategoryCreate {
  name: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
  parent?: number | null;
}

export interface CategoryUpdate {
  name?: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
  parent?: number | null;
}

export interface TagCreate {
  name: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface TagUpdate {
  name?: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface ImageCreate {
  file: string;
}

export interface SubmissionCreate {
  title: string;
  start_date: string;
  end_date?: string;
  all_day?: boolean | null;
  venue?: string | null;
  address?: string | null;
  city?: string | null;
  description?: string | null;
  cost?: string | null;
  website?: string | null;
  category?: number | null;
  contact_name: string;
  contact_email: string;
  note?: string | null;
  terms?: boolean | null;
}

export interface SubmissionUpdate {
  title?: string;
  start_date?: string;
  end_date?: string;
  all_day?: boolean | null;
  venue?: string | null;
  address?: string | null;
  city?: string | null;
  description?: string | null;
  cost?: string | null;
  website?: string | null;
  category?: number | null;
  contact_name?: string;
  note?: string | null;
  token: string;
}

export interface SubmissionConfirm {
  token: string;
}

export interface SubmissionApprove {
  status?: "publish" | "draft";
}

export interface SubmissionRefuse {
  message?: string | null;
  tell?: boolean;
}

export interface ImportCreate {
  url?: string;
  format?: "auto" | "ics" | "csv" | "xlsx" | "json" | "schema" | "lines" | "tec";
  user?: string;
  password?: string;
  series?: boolean;
  dry_run?: boolean;
  policy?: "update" | "skip" | "replace";
  timezone?: string | null;
  status?: "publish" | "draft" | "pending";
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  columns?: Record<string, unknown> | string | null;
  date_order?: "dmy" | "mdy";
  gone?: "keep" | "cancel" | "trash";
}

export interface SourceCreate {
  name: string;
  kind: "ics" | "table" | "json" | "schema" | "site";
  url: string;
  user?: string | null;
  password?: string | null;
  site?: string | null;
  every?: number;
  policy?: "update" | "skip" | "replace";
  gone?: "keep" | "cancel" | "trash";
  timezone?: string | null;
  status?: "publish" | "draft" | "pending";
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  columns?: Record<string, unknown> | string | null;
  date_order?: "dmy" | "mdy";
  filter?: Record<string, unknown> | string | null;
  mapping?: Record<string, unknown> | string | null;
  active?: boolean;
}

export interface SourceUpdate {
  name?: string;
  kind?: "ics" | "table" | "json" | "schema" | "site";
  url?: string;
  user?: string | null;
  password?: string | null;
  site?: string | null;
  every?: number;
  policy?: "update" | "skip" | "replace";
  gone?: "keep" | "cancel" | "trash";
  timezone?: string | null;
  status?: "publish" | "draft" | "pending";
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  columns?: Record<string, unknown> | string | null;
  date_order?: "dmy" | "mdy";
  filter?: Record<string, unknown> | string | null;
  mapping?: Record<string, unknown> | string | null;
  active?: boolean;
}

export interface WebhookCreate {
  url: string;
  events: string[] | string;
  filter?: Record<string, unknown> | string | null;
  payload?: "thin" | "full";
  language?: string | null;
  active?: boolean;
  ed25519?: boolean;
}

export interface WebhookUpdate {
  url?: string;
  events?: string[] | string;
  filter?: Record<string, unknown> | string | null;
  payload?: "thin" | "full";
  language?: string | null;
  active?: boolean;
  ed25519?: boolean;
}

export interface TermLink {
  id?: number;
  slug?: string;
  name?: string;
}

export interface VenueLink {
  id?: number | null;
  author?: number | string;
  date?: string;
  date_utc?: string;
  venue?: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  show_map?: string | boolean | null;
  show_map_link?: string | boolean | null;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[] | "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour" | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface OrganizerLink {
  id?: number | null;
  author?: number | string;
  date?: string;
  date_utc?: string;
  organizer?: string;
  description?: string | null;
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: string | number | Record<string, unknown> | boolean | null;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: Record<string, Record<string, unknown> | null> | string[] | null;
}

export interface ListEventsQuery {
  page?: number;
  per_page?: number;
  start_date?: string;
  end_date?: string;
  starts_before?: string;
  starts_after?: string;
  ends_before?: string;
  ends_after?: string;
  strict_dates?: boolean;
  search?: string;
  categories?: TermReference[];
  tags?: TermReference[];
  venue?: number[];
  organizer?: number[];
  featured?: boolean;
  status?: ("publish" | "future" | "draft" | "pending" | "private" | "trash")[];
  geoloc?: boolean;
  geoloc_lat?: number;
  geoloc_lng?: number;
  include?: number[];
  post_parent?: number;
  ticketed?: boolean;
  geoloc_radius?: number;
  orderby?: "start_date" | "end_date" | "title" | "date" | "modified" | "relevance";
  order?: "asc" | "desc" | "ASC" | "DESC";
  password?: string;
  on?: "tonight" | "today" | "tomorrow" | "weekend" | "week";
  longer_than?: number;
  after?: string;
  series?: string;
  source?: number;
  recurring?: boolean;
  event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled")[];
  attendance_mode?: "offline" | "online" | "mixed";
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[];
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[];
  categories_exclude?: TermReference[];
  tags_exclude?: TermReference[];
  venue_exclude?: number[];
  content_language?: string;
  translations?: "full";
  translated?: boolean;
}

export interface ListOccurrencesQuery {
  page?: number;
  per_page?: number;
  start_date?: string;
  end_date?: string;
  starts_before?: string;
  starts_after?: string;
  ends_before?: string;
  ends_after?: string;
  strict_dates?: boolean;
  search?: string;
  categories?: TermReference[];
  tags?: TermReference[];
  venue?: number[];
  organizer?: number[];
  featured?: boolean;
  status?: ("publish" | "future" | "draft" | "pending" | "private" | "trash")[];
  geoloc?: boolean;
  geoloc_lat?: number;
  geoloc_lng?: number;
  include?: number[];
  post_parent?: number;
  ticketed?: boolean;
  geoloc_radius?: number;
  orderby?: "start_date" | "end_date" | "title" | "date" | "modified" | "relevance";
  order?: "asc" | "desc" | "ASC" | "DESC";
  password?: string;
  on?: "tonight" | "today" | "tomorrow" | "weekend" | "week";
  longer_than?: number;
  after?: string;
  series?: string;
  source?: number;
  recurring?: boolean;
  event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled")[];
  attendance_mode?: "offline" | "online" | "mixed";
  accessibility?: ("wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour")[];
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[];
  categories_exclude?: TermReference[];
  tags_exclude?: TermReference[];
  venue_exclude?: number[];
  content_language?: string;
  translations?: "full";
  translated?: boolean;
}

export interface ListVenuesQuery {
  page?: number;
  per_page?: number;
  search?: string;
  event?: number;
  has_events?: boolean;
  only_with_upcoming?: boolean;
  status?: ("publish" | "future" | "draft" | "pending" | "private" | "trash")[];
  content_language?: string;
  translations?: "full";
  translated?: boolean;
}

export interface ListOrganizersQuery {
  page?: number;
  per_page?: number;
  search?: string;
  event?: number;
  has_events?: boolean;
  only_with_upcoming?: boolean;
  status?: ("publish" | "future" | "draft" | "pending" | "private" | "trash")[];
  content_language?: string;
  translations?: "full";
  translated?: boolean;
}

export interface ListCategoriesQuery {
  page?: number;
  per_page?: number;
  search?: string;
  exclude?: TermReference[];
  include?: TermReference[];
  order?: string;
  orderby?: string;
  hide_empty?: boolean;
  post?: number;
  event?: number;
  slug?: string;
  offset?: number;
  content_language?: string;
  translations?: "full";
  translated?: boolean;
  parent?: number;
}

export interface ListTagsQuery {
  page?: number;
  per_page?: number;
  search?: string;
  exclude?: TermReference[];
  include?: TermReference[];
  order?: string;
  orderby?: string;
  hide_empty?: boolean;
  post?: number;
  event?: number;
  slug?: string;
  offset?: number;
  content_language?: string;
  translations?: "full";
  translated?: boolean;
}

export interface ListChangesQuery {
  since?: string;
  types?: ("event" | "venue" | "organizer" | "category" | "tag" | "image")[];
  per_page?: number;
  include?: "object";
  wait?: number;
  search?: string;
  categories?: TermReference[];
  tags?: TermReference[];
  venue?: number[];
  organizer?: number[];
  featured?: boolean;
  geoloc?: boolean;
  geoloc_lat?: number;
  geoloc_lng?: number;
  post_parent?: number;
  ticketed?: boolean;
  geoloc_radius?: number;
  series?: string;
  source?: number;
  recurring?: boolean;
  event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled")[];
  attendance_mode?: "offline" | "online" | "mixed";
  audience?: ("toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors")[];
  categories_exclude?: TermReference[];
  tags_exclude?: TermReference[];
  venue_exclude?: number[];
  content_language?: string;
  translated?: boolean;
}

export interface ListSubmissionsQuery {
  page?: number;
  per_page?: number;
  status?: "waiting" | "decided";
}

export interface ListImportsQuery {
  source?: number;
  page?: number;
  per_page?: number;
}

export interface ListEntriesQuery {
  result?: "created" | "changed" | "same" | "cancelled" | "refused";
  page?: number;
  per_page?: number;
}

export interface ListDeliveriesQuery {
  page?: number;
  per_page?: number;
}
