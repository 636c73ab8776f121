// Types of the interface of Kalends, written from its document (GET /doc) by go test ./api/doc -update.

export const version = "1.21.0";

export interface Root {
  namespace: string;
  routes: Record<string, Record<string, unknown>>;
  _links: Links;
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
  status: Status;
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
  accessibility?: Accessibility[];
  audience?: Audience[];
  event_language?: EventLanguage[];
  registration_until?: string;
  performers?: string[];
  video_url?: string;
  fields?: FieldValues;
  seo_title?: string;
  seo_description?: string;
  review_note?: string;
  series?: Series;
  source?: EventOrigin;
  recurrence?: Recurrence;
  json_ld?: Record<string, unknown>;
  content_language?: string;
  translations?: Translations;
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
  translations?: Translations;
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
  status?: "available" | "box_office" | "sold_out" | "presale" | "closed";
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
  status: Status;
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
  accessibility?: Accessibility[];
  fields?: FieldValues;
  global_id: string;
  global_id_lineage: string[];
  content_language?: string;
  translations?: Translations;
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
  status: Status;
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
  translations?: Translations;
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
  _links?: Links;
  content_language?: string;
  translations?: Translations;
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
  _links?: Links;
  content_language?: string;
  translations?: Translations;
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
  status: "unconfirmed" | "waiting" | "accepted" | "returned" | "approved" | "refused" | "withdrawn";
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
  format: "ics" | "csv" | "xlsx" | "json" | "schema" | "lines" | "tec" | "site" | "kalends" | "undo" | null;
  dry_run: boolean;
  policy: ImportPolicy;
  name: string | null;
  url: string | null;
  source: Origin | null;
  progress: number;
  counts: Counts;
  problem: Error | null;
  columns?: Record<string, string>;
  left_out: Record<string, unknown>[];
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
  result: ImportResult;
  event: Record<string, unknown> | null;
  fields: string[];
  problems: Finding[];
  warnings: Finding[];
}

export interface SourceList {
  sources: Source[];
}

export interface Source {
  id: number;
  name: string;
  kind: SourceKind;
  url: string;
  site: string | null;
  every: number;
  policy: ImportPolicy;
  gone: ImportGone;
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
  counts: Counts | null;
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
  type: ChangeType;
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
  role: Role;
  key: Record<string, unknown> | null;
  scopes: Access[];
  categories: number[];
  expires: string | null;
  site: Record<string, unknown>;
  limits: Limits;
}

export interface FieldList {
  fields: Field[];
}

export interface Field {
  key: string;
  kind: FieldKind;
  of: ("event" | "venue")[];
  label: string;
  hint?: string;
  unit?: string;
  options?: Record<string, unknown>[];
  public: boolean;
  filter: boolean;
  archived?: boolean;
  translations: Record<string, Record<string, unknown>>;
  rest_url: string;
}

export interface EventNumbers {
  event: number;
  from: string;
  to: string;
  total: Numbers;
  days: DayNumbers[];
}

export interface SiteNumbers {
  from: string;
  to: string;
  total: Numbers;
  days: DayNumbers[];
  subscriptions: number;
  letters_sent: number;
  events: Record<string, unknown>[];
}

export interface WebhookList {
  webhooks: Webhook[];
}

export interface Webhook {
  id: number;
  url: string;
  events: string[];
  filter: Record<string, unknown> | null;
  payload: WebhookPayload;
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

export type Accessibility = "wheelchair" | "toilets" | "hearing_loop" | "sign_language" | "captions" | "audio_description" | "plain_language" | "quiet_hour";

export type Audience = "toddlers" | "children" | "teenagers" | "families" | "adults" | "seniors";

export type ChangeType = "event" | "venue" | "organizer" | "category" | "tag" | "image";

export type Counts = Record<string, number>;

export interface DayNumbers {
  day: string;
  views: number;
  calendars: number;
  tickets: number;
  letters: number;
}

export type EventLanguage = "ar" | "bg" | "bn" | "bs" | "ca" | "cs" | "cy" | "da" | "de" | "dsb" | "el" | "en" | "eo" | "es" | "et" | "eu" | "fa" | "fi" | "fr" | "fy" | "ga" | "gl" | "he" | "hi" | "hr" | "hsb" | "hu" | "hy" | "id" | "is" | "it" | "ja" | "ka" | "ko" | "ku" | "lb" | "lt" | "lv" | "mk" | "mt" | "nb" | "nds" | "nl" | "pl" | "pt" | "rm" | "ro" | "ru" | "sk" | "sl" | "so" | "sq" | "sr" | "sv" | "sw" | "ta" | "th" | "ti" | "tr" | "uk" | "ur" | "vi" | "zh" | "zxx";

export interface EventOrigin {
  id: number;
  name: string;
  site: string | null;
  kept?: string[];
}

export type FieldKind = "text" | "choice" | "yes_no" | "number" | "link" | "date";

export type FieldValues = Record<string, string | number | boolean>;

export interface Finding {
  code: string;
  param: string | null;
  message: string;
}

export type ImportGone = "keep" | "cancel" | "trash";

export type ImportPolicy = "update" | "skip" | "replace";

export type ImportResult = "created" | "changed" | "same" | "cancelled" | "refused";

export type Links = Record<string, Record<string, unknown>[]>;

export interface Numbers {
  views: number;
  calendars: number;
  tickets: number;
  letters: number;
}

export interface Origin {
  id: number;
  name: string;
  site: string | null;
}

export type SourceKind = "ics" | "table" | "json" | "schema" | "tec" | "kalends" | "site";

export type Status = "publish" | "future" | "draft" | "pending" | "private" | "trash";

export type Translations = string[] | Record<string, Texts>;

export type WebhookPayload = "thin" | "full";

export type Access = "events:read" | "events:write" | "venues:read" | "venues:write" | "organizers:read" | "organizers:write" | "terms:read" | "terms:write" | "images:read" | "images:write" | "submissions:read" | "submissions:write" | "imports:write" | "sources:write" | "changes:read" | "history:read" | "webhooks:write" | "users:read" | "users:write" | "settings:write";

export interface Limits {
  events: number | null;
  occurrences: number | null;
  users: number | null;
  media_bytes: number | null;
  webhooks: number | null;
  letters: number | null;
  requests_per_minute: number | null;
}

export type Role = "administrator" | "editor" | "author" | "contributor" | "subscriber";

export interface EventCreate {
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  title: string;
  description?: string | null;
  slug?: string | null;
  excerpt?: string | null;
  status?: Status;
  timezone?: string | null;
  all_day?: boolean | null;
  start_date: string;
  end_date: string;
  image?: EventImageInput;
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
  tickets?: TicketInput[] | null;
  post_parent?: number | null;
  post_password?: string | null;
  recurrence?: RecurrenceInput;
  applies_to?: EventAppliesToInput;
  exceptions?: EventExceptionsInput;
  event_status?: EventStatusInput;
  event_status_reason?: string | null;
  attendance_mode?: EventAttendanceModeInput;
  virtual_url?: string | null;
  virtual_url_shown?: EventVirtualUrlShownInput;
  end_unknown?: boolean | null;
  accessibility?: AccessibilityInput;
  audience?: AudienceInput;
  event_language?: EventLanguageInput;
  registration_until?: string | null;
  review_note?: string | null;
  fields?: FieldsInput;
  performers?: PerformersInput;
  video_url?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  content_language?: string | null;
  translations?: EventTranslationsInput;
}

export interface EventPreviewFields {
  timezone?: string | null;
  all_day?: boolean | null;
  start_date: string;
  end_date: string;
  recurrence?: RecurrenceInput;
}

export interface EventUpdate {
  password?: string | null;
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  title?: string;
  description?: string | null;
  slug?: string | null;
  excerpt?: string | null;
  status?: Status;
  timezone?: string | null;
  all_day?: boolean | null;
  start_date?: string;
  end_date?: string;
  image?: ImageInput;
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
  tickets?: TicketInput[] | null;
  post_parent?: number | null;
  post_password?: string | null;
  recurrence?: RecurrenceInput;
  applies_to?: EventAppliesToInput;
  exceptions?: EventExceptionsInput;
  event_status?: EventStatusInput;
  event_status_reason?: string | null;
  attendance_mode?: EventAttendanceModeInput;
  virtual_url?: string | null;
  virtual_url_shown?: EventVirtualUrlShownInput;
  end_unknown?: boolean | null;
  accessibility?: AccessibilityInput;
  audience?: AudienceInput;
  event_language?: EventLanguageInput;
  registration_until?: string | null;
  review_note?: string | null;
  fields?: FieldsInput;
  performers?: PerformersInput;
  video_url?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  content_language?: string | null;
  translations?: EventTranslationsInput;
  source?: SourceInput;
}

export interface EventUpdateBySlug {
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  title?: string;
  description?: string | null;
  slug?: string | null;
  excerpt?: string | null;
  status?: Status;
  timezone?: string | null;
  all_day?: boolean | null;
  start_date?: string;
  end_date?: string;
  image?: ImageInput;
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
  tickets?: TicketInput[] | null;
  post_parent?: number | null;
  post_password?: string | null;
  recurrence?: RecurrenceInput;
  applies_to?: EventAppliesToInput;
  exceptions?: EventExceptionsInput;
  event_status?: EventStatusInput;
  event_status_reason?: string | null;
  attendance_mode?: EventAttendanceModeInput;
  virtual_url?: string | null;
  virtual_url_shown?: EventVirtualUrlShownInput;
  end_unknown?: boolean | null;
  accessibility?: AccessibilityInput;
  audience?: AudienceInput;
  event_language?: EventLanguageInput;
  registration_until?: string | null;
  review_note?: string | null;
  fields?: FieldsInput;
  performers?: PerformersInput;
  video_url?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  content_language?: string | null;
  translations?: EventTranslationsInput;
  source?: SourceInput;
}

export interface VenueCreate {
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  venue: string;
  description?: string | null;
  status?: Status;
  show_map?: ShowMapInput;
  show_map_link?: ShowMapLinkInput;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: ImageInput;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: AccessibilityInput;
  fields?: FieldsInput;
  content_language?: string | null;
  translations?: VenueTranslationsInput;
}

export interface VenueUpdate {
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  venue?: string;
  description?: string | null;
  status?: Status;
  show_map?: ShowMapInput;
  show_map_link?: ShowMapLinkInput;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: ImageInput;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: AccessibilityInput;
  fields?: FieldsInput;
  content_language?: string | null;
  translations?: VenueTranslationsInput;
}

export interface OrganizerCreate {
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  organizer: string;
  description?: string | null;
  status?: Status;
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: ImageInput;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: OrganizerTranslationsInput;
}

export interface OrganizerUpdate {
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  organizer?: string;
  description?: string | null;
  status?: Status;
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: ImageInput;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: OrganizerTranslationsInput;
}

export interface CategoryCreate {
  name: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: CategoryTranslationsInput;
  parent?: number | null;
}

export interface CategoryUpdate {
  name?: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: CategoryTranslationsInput;
  parent?: number | null;
}

export interface TagCreate {
  name: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: TagTranslationsInput;
}

export interface TagUpdate {
  name?: string;
  description?: string | null;
  slug?: string | null;
  content_language?: string | null;
  translations?: TagTranslationsInput;
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
  terms?: SubmissionTermsInput;
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
  status?: SubmissionStatusInput;
}

export interface SubmissionRefuse {
  message?: string | null;
  tell?: boolean;
}

export interface ImportCreate {
  url?: string;
  format?: ImportFormatInput;
  user?: string;
  password?: string;
  series?: boolean;
  dry_run?: boolean;
  policy?: ImportPolicy;
  timezone?: string | null;
  status?: ImportStatusInput;
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  columns?: ColumnsInput;
  date_order?: ImportDateOrderInput;
  gone?: ImportGone;
}

export interface SourceCreate {
  name: string;
  kind: SourceKind;
  url: string;
  user?: string | null;
  password?: string | null;
  site?: string | null;
  every?: number;
  policy?: ImportPolicy;
  gone?: ImportGone;
  timezone?: string | null;
  status?: ImportStatusInput;
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  columns?: ColumnsInput;
  date_order?: ImportDateOrderInput;
  filter?: FilterInput;
  mapping?: MappingInput;
  active?: boolean;
}

export interface SourceUpdate {
  name?: string;
  kind?: SourceKind;
  url?: string;
  user?: string | null;
  password?: string | null;
  site?: string | null;
  every?: number;
  policy?: ImportPolicy;
  gone?: ImportGone;
  timezone?: string | null;
  status?: ImportStatusInput;
  categories?: TermInput;
  tags?: TermInput;
  venue?: VenueInput;
  organizer?: OrganizerInput;
  columns?: ColumnsInput;
  date_order?: ImportDateOrderInput;
  filter?: FilterInput;
  mapping?: MappingInput;
  active?: boolean;
}

export interface WebhookCreate {
  url: string;
  events: WebhookEventsInput;
  filter?: FilterInput;
  payload?: WebhookPayload;
  language?: string | null;
  active?: boolean;
  ed25519?: boolean;
}

export interface WebhookUpdate {
  url?: string;
  events?: WebhookEventsInput;
  filter?: FilterInput;
  payload?: WebhookPayload;
  language?: string | null;
  active?: boolean;
  ed25519?: boolean;
}

export interface FieldCreate {
  key?: string;
  kind: FieldKind;
  of?: OfInput;
  label: string;
  hint?: string | null;
  unit?: string | null;
  options?: OptionInput[] | null;
  position?: number;
  public?: boolean;
  filter?: boolean;
  archived?: boolean;
  translations?: FieldTranslationsInput;
}

export interface FieldUpdate {
  key?: string;
  kind?: FieldKind;
  of?: OfInput;
  label?: string;
  hint?: string | null;
  unit?: string | null;
  options?: OptionInput[] | null;
  position?: number;
  public?: boolean;
  filter?: boolean;
  archived?: boolean;
  translations?: FieldTranslationsInput;
}

export interface TermLink {
  id?: number;
  slug?: string;
  name?: string;
}

export interface VenueLink {
  id?: number | null;
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  venue?: string;
  description?: string | null;
  status?: Status;
  show_map?: ShowMapInput;
  show_map_link?: ShowMapLinkInput;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  province?: string | null;
  state?: string | null;
  zip?: string | null;
  phone?: string | null;
  stateprovince?: string | null;
  website?: string | null;
  image?: ImageInput;
  slug?: string | null;
  excerpt?: string | null;
  geo_lat?: number | null;
  geo_lng?: number | null;
  accessibility?: AccessibilityInput;
  fields?: FieldsInput;
  content_language?: string | null;
  translations?: VenueTranslationsInput;
}

export interface OrganizerLink {
  id?: number | null;
  author?: AuthorInput;
  date?: string;
  date_utc?: string;
  organizer?: string;
  description?: string | null;
  status?: Status;
  phone?: string | null;
  website?: string | null;
  email?: string | null;
  image?: ImageInput;
  slug?: string | null;
  excerpt?: string | null;
  content_language?: string | null;
  translations?: OrganizerTranslationsInput;
}

export type TermReference = number | string;

export type EventOrderbyParam = "start_date" | "end_date" | "title" | "date" | "modified" | "relevance";

export type EventOrderParam = "asc" | "desc" | "ASC" | "DESC";

export type EventOnParam = "tonight" | "today" | "tomorrow" | "weekend" | "week";

export type EventStatusParam = "scheduled" | "cancelled" | "postponed" | "rescheduled";

export type EventAttendanceModeParam = "offline" | "online" | "mixed";

export type TranslationsParam = "full";

export type EventAppliesToParam = "this" | "following" | "all";

export type ChangeIncludeParam = "object";

export type SubmissionStatusParam = "waiting" | "decided";

export interface SubmissionFile {
  file?: string;
}

export type SubmissionCreateForm = unknown;

export type SubmissionUpdateForm = unknown;

export interface ImportFile {
  file?: string;
}

export type ImportCreateForm = unknown;

export type SourceEventsParam = "keep" | "trash";

export type AuthorInput = number | string;

export type EventImageInput = string | number | Record<string, unknown> | boolean | null;

export type CostInput = string | number | (string | number)[] | null;

export type TermInput = (number | string | TermLink)[] | number | string | TermLink | null;

export type VenueInput = (number | VenueLink)[] | number | VenueLink | string | null;

export type OrganizerInput = (number | OrganizerLink)[] | number | OrganizerLink | string | null;

export type TicketStatusInput = "available" | "box_office" | "sold_out" | "presale" | "closed";

export interface TicketInput {
  name: string;
  url?: string | null;
  price?: number | null;
  currency?: string | null;
  available_from?: string | null;
  available_until?: string | null;
  status?: TicketStatusInput;
}

export type RecurrenceInput = Record<string, unknown> | string | null;

export type EventAppliesToInput = "this" | "following" | "all";

export type EventExceptionsInput = "keep" | "reset";

export type EventStatusInput = "scheduled" | "cancelled" | "canceled" | "postponed" | "rescheduled";

export type EventAttendanceModeInput = "offline" | "online" | "mixed";

export type EventVirtualUrlShownInput = "always" | "started" | "never";

export type AccessibilityInput = Accessibility[] | Accessibility | null;

export type AudienceInput = Audience[] | Audience | null;

export type EventLanguageInput = EventLanguage[] | EventLanguage | null;

export type FieldsInput = Record<string, unknown> | null;

export type PerformersInput = string[] | string | null;

export type EventTranslationsInput = Record<string, Record<string, unknown> | null> | string[] | null;

export type ImageInput = string | number | Record<string, unknown> | boolean | null;

export type SourceInput = Record<string, unknown> | string | null;

export type ShowMapInput = string | boolean | null;

export type ShowMapLinkInput = string | boolean | null;

export type VenueTranslationsInput = Record<string, Record<string, unknown> | null> | string[] | null;

export type OrganizerTranslationsInput = Record<string, Record<string, unknown> | null> | string[] | null;

export type CategoryTranslationsInput = Record<string, Record<string, unknown> | null> | string[] | null;

export type TagTranslationsInput = Record<string, Record<string, unknown> | null> | string[] | null;

export type SubmissionTermsInput = boolean | null;

export type SubmissionStatusInput = "publish" | "draft";

export type ImportFormatInput = "auto" | "ics" | "csv" | "xlsx" | "json" | "schema" | "lines" | "tec";

export type ImportStatusInput = "publish" | "draft" | "pending";

export type ColumnsInput = Record<string, unknown> | string | null;

export type ImportDateOrderInput = "dmy" | "mdy";

export type FilterInput = Record<string, unknown> | string | null;

export type MappingInput = Record<string, unknown> | string | null;

export type WebhookEventsInput = string[] | string;

export type FieldOfInput = "event" | "venue";

export type OfInput = FieldOfInput[] | FieldOfInput;

export interface OptionInput {
  key?: string | null;
  label: string;
}

export type OptionsInput = Record<string, unknown> | null;

export type FieldTranslationsInput = Record<string, Record<string, unknown> | null> | null;

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
  status?: Status[];
  geoloc?: boolean;
  geoloc_lat?: number;
  geoloc_lng?: number;
  include?: number[];
  post_parent?: number;
  ticketed?: boolean;
  geoloc_radius?: number;
  orderby?: EventOrderbyParam;
  order?: EventOrderParam;
  password?: string;
  on?: EventOnParam;
  longer_than?: number;
  after?: string;
  series?: string;
  source?: number;
  recurring?: boolean;
  event_status?: EventStatusParam[];
  attendance_mode?: EventAttendanceModeParam;
  accessibility?: Accessibility[];
  audience?: Audience[];
  event_language?: EventLanguage[];
  fields?: Record<string, string>;
  categories_exclude?: TermReference[];
  tags_exclude?: TermReference[];
  venue_exclude?: number[];
  content_language?: string;
  translations?: TranslationsParam;
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
  status?: Status[];
  geoloc?: boolean;
  geoloc_lat?: number;
  geoloc_lng?: number;
  include?: number[];
  post_parent?: number;
  ticketed?: boolean;
  geoloc_radius?: number;
  orderby?: EventOrderbyParam;
  order?: EventOrderParam;
  password?: string;
  on?: EventOnParam;
  longer_than?: number;
  after?: string;
  series?: string;
  source?: number;
  recurring?: boolean;
  event_status?: EventStatusParam[];
  attendance_mode?: EventAttendanceModeParam;
  accessibility?: Accessibility[];
  audience?: Audience[];
  event_language?: EventLanguage[];
  fields?: Record<string, string>;
  categories_exclude?: TermReference[];
  tags_exclude?: TermReference[];
  venue_exclude?: number[];
  content_language?: string;
  translations?: TranslationsParam;
  translated?: boolean;
}

export interface ListVenuesQuery {
  page?: number;
  per_page?: number;
  search?: string;
  event?: number;
  has_events?: boolean;
  only_with_upcoming?: boolean;
  status?: Status[];
  content_language?: string;
  translations?: TranslationsParam;
  translated?: boolean;
}

export interface ListOrganizersQuery {
  page?: number;
  per_page?: number;
  search?: string;
  event?: number;
  has_events?: boolean;
  only_with_upcoming?: boolean;
  status?: Status[];
  content_language?: string;
  translations?: TranslationsParam;
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
  translations?: TranslationsParam;
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
  translations?: TranslationsParam;
  translated?: boolean;
}

export interface ListChangesQuery {
  since?: string;
  types?: ChangeType[];
  per_page?: number;
  include?: ChangeIncludeParam;
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
  event_status?: EventStatusParam[];
  attendance_mode?: EventAttendanceModeParam;
  audience?: Audience[];
  event_language?: EventLanguage[];
  categories_exclude?: TermReference[];
  tags_exclude?: TermReference[];
  venue_exclude?: number[];
  content_language?: string;
  translated?: boolean;
}

export interface ListSubmissionsQuery {
  page?: number;
  per_page?: number;
  status?: SubmissionStatusParam;
}

export interface ListImportsQuery {
  source?: number;
  page?: number;
  per_page?: number;
}

export interface ListEntriesQuery {
  result?: ImportResult;
  page?: number;
  per_page?: number;
}

export interface ListDeliveriesQuery {
  page?: number;
  per_page?: number;
}
