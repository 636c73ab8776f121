// A small client of Kalends: lists without gaps, writes that can be repeated, changes as they happen. It runs wherever there is
// fetch: in browsers, Node, Deno and Bun.
import type {
  Category, Change, ChangeList, Event, EventCreate, EventUpdate, ListChangesQuery, ListEventsQuery, ListOrganizersQuery, ListVenuesQuery,
  Me, Organizer, OrganizerCreate, Tag, Venue, VenueCreate, VenueUpdate,
} from "./types.js";
export type * from "./types.js";
export { version } from "./types.js";

export interface Options {
  /** An API key. */
  key?: string;
  /** Or a login with an application password. */
  login?: string;
  password?: string;
  /** The language of texts and messages, such as "de". */
  language?: string;
  /** How often a request is tried that no answer came to, or that the server could not answer at that moment; 5 by default. */
  tries?: number;
  fetch?: typeof fetch;
}

export interface Call {
  query?: object;
  body?: unknown;
  /** The ETag that an object must still have. */
  ifMatch?: string;
  /** The key by which the server knows a repeated write again; one is made up otherwise. Keep it to repeat a write later. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A change as followers get it; `reset` says that they begin anew: whatever is not told of until `upToDate` is gone. */
export type Step =
  | { kind: "change"; change: Change; token: undefined }
  | { kind: "reset"; token: undefined }
  | { kind: "upToDate"; token: string };

/** KalendsError is an answer that says why a request failed. */
export class KalendsError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly data: Record<string, unknown>) {
    super(message);
    this.name = "KalendsError";
  }
}

/** Answer is a body with what stands in the header of the answer. */
export interface Answer<T> {
  body: T;
  etag: string | null;
  /** The version of the site that a write made. */
  version: number | undefined;
  /** The write was done before, and this is the answer that it had then. */
  replayed: boolean;
}

const secondsOf = (res: Response): number => Number(res.headers.get("Retry-After")) || 0;

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, seconds * 1000);
    const stop = () => { clearTimeout(timer); reject(signal?.reason); };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export class Kalends {
  private readonly base: string;
  private readonly headers: Record<string, string> = { Accept: "application/json" };
  private readonly tries: number;
  private readonly send: typeof fetch;

  /** The address is that of the interface, such as https://calendar.example/calendar/events/v1. */
  constructor(address: string, options: Options = {}) {
    this.base = address.replace(/\/+$/, "");
    this.tries = options.tries ?? 5;
    this.send = options.fetch ?? ((input, init) => fetch(input, init));
    if (options.language) this.headers["Accept-Language"] = options.language;
    if (options.key) this.headers["Authorization"] = "Bearer " + options.key;
    else if (options.login) {
      const text = new TextEncoder().encode(`${options.login}:${options.password ?? ""}`);
      this.headers["Authorization"] = "Basic " + btoa(String.fromCharCode(...text));
    }
  }

  /** request sends any request of the interface, again where that may help: a write carries a key, so it is done once. */
  async request<T>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    const headers = { ...this.headers };
    if (method !== "GET" && headers["Authorization"]) headers["Idempotency-Key"] = call.idempotencyKey ?? crypto.randomUUID();
    const once = method === "GET" || "Idempotency-Key" in headers;
    if (call.ifMatch) headers["If-Match"] = call.ifMatch;
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    const init: RequestInit = { method, headers, signal: call.signal ?? null };
    if (call.body !== undefined) init.body = JSON.stringify(call.body);
    for (let tried = 1; ; tried++) {
      const last = !once || tried >= this.tries;
      let wait = Math.min(2 ** tried, 30) * (0.1 + 0.1 * Math.random());
      try {
        const res = await this.send(this.base + path + queryOf(call.query), init);
        const text = await res.text();
        if (res.ok) return answerOf<T>(res, text);
        const failed = errorOf(res, text);
        const again = [429, 502, 503, 504].includes(res.status) || failed.code === "idempotency-key-in-use";
        if (last || !again) throw failed;
        wait = Math.max(wait, secondsOf(res));
      } catch (err) {
        if (last || err instanceof KalendsError || call.signal?.aborted) throw err;
      }
      await pause(wait, call.signal);
    }
  }

  private async body<T>(method: string, path: string, call?: Call): Promise<T> {
    return (await this.request<T>(method, path, call)).body;
  }

  /** walk yields the entries of a list, page by page. */
  private async *walk<T>(path: string, name: string, query: object): AsyncGenerator<T> {
    for (let next: object | undefined = query; next; ) {
      const page: Record<string, unknown> = await this.body("GET", path, { query: next });
      yield* page[name] as T[];
      const more = page["next_rest_url"] as string | undefined;
      next = more ? Object.fromEntries(new URL(more).searchParams) : undefined;
    }
  }

  /** events yields all events of a filter in the order of their start; what others write meanwhile makes no gaps. */
  events(filter: ListEventsQuery = {}): AsyncGenerator<Event> {
    const ordered = filter.orderby && filter.orderby !== "start_date";
    return this.walk("/events", "events", { per_page: 50, ...(ordered ? {} : { after: "" }), ...filter });
  }
  venues(filter: ListVenuesQuery = {}): AsyncGenerator<Venue> { return this.walk("/venues", "venues", { per_page: 50, ...filter }); }
  organizers(filter: ListOrganizersQuery = {}): AsyncGenerator<Organizer> {
    return this.walk("/organizers", "organizers", { per_page: 50, ...filter });
  }
  categories(): AsyncGenerator<Category> { return this.walk("/categories", "categories", { per_page: 50 }); }
  tags(): AsyncGenerator<Tag> { return this.walk("/tags", "tags", { per_page: 50 }); }

  me(): Promise<Me> { return this.body("GET", "/me"); }
  event(id: number | string): Promise<Answer<Event>> { return this.request("GET", eventPath(id)); }
  createEvent(fields: EventCreate, call: Call = {}): Promise<Event> { return this.body("POST", "/events", { ...call, body: fields }); }
  updateEvent(id: number | string, fields: EventUpdate, call: Call = {}): Promise<Event> {
    return this.body("PATCH", eventPath(id), { ...call, body: fields });
  }
  /** deleteEvent moves an event to the trash; with `force` it is deleted for good. */
  deleteEvent(id: number | string, force = false, call: Call = {}): Promise<Event> {
    return this.body("DELETE", eventPath(id), { ...call, query: force ? { force } : {} });
  }
  createVenue(fields: VenueCreate, call: Call = {}): Promise<Venue> { return this.body("POST", "/venues", { ...call, body: fields }); }
  updateVenue(id: number, fields: VenueUpdate, call: Call = {}): Promise<Venue> {
    return this.body("PATCH", `/venues/${id}`, { ...call, body: fields });
  }
  createOrganizer(fields: OrganizerCreate, call: Call = {}): Promise<Organizer> {
    return this.body("POST", "/organizers", { ...call, body: fields });
  }

  /** changes returns one answer to a follower. */
  changes(query: ListChangesQuery = {}, signal?: AbortSignal): Promise<ChangeList> {
    return this.body("GET", "/changes", signal ? { query, signal } : { query });
  }

  /**
   * follow yields what changes, for ever or until the signal: without a token everything as it is now first. After each `upToDate`
   * keep its token, and give it as `since` the next time. A token that is no longer valid begins anew with `reset`.
   */
  async *follow(query: ListChangesQuery = {}, signal?: AbortSignal): AsyncGenerator<Step> {
    let since = query.since;
    while (!signal?.aborted) {
      try {
        const page = await this.changes({ per_page: 500, wait: 25, ...query, ...(since ? { since } : { since: "" }) }, signal);
        for (const change of page.changes) yield { kind: "change", change, token: undefined };
        since = page.next;
        if (!page.more) yield { kind: "upToDate", token: since };
      } catch (err) {
        if (signal?.aborted) return;
        if (!(err instanceof KalendsError) || err.status !== 410 || !since) throw err;
        since = undefined;
        yield { kind: "reset", token: undefined };
      }
    }
  }
}

const eventPath = (id: number | string): string => typeof id === "number" ? `/events/${id}` : `/events/by-slug/${encodeURIComponent(id)}`;

function queryOf(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).map(([key, one]) => [`${name}[${key}]`, one]) : [[name, value]]);
  const list = pairs.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]);
  const text = new URLSearchParams(list).toString();
  return text && "?" + text;
}

function answerOf<T>(res: Response, text: string): Answer<T> {
  const version = res.headers.get("X-Kalends-Version");
  return { body: (text ? JSON.parse(text) : undefined) as T, etag: res.headers.get("ETag"),
    version: version ? Number(version) : undefined, replayed: res.headers.get("Idempotent-Replayed") === "true" };
}

function errorOf(res: Response, text: string): KalendsError {
  let said: { code?: string; message?: string; data?: Record<string, unknown> } = {};
  try { said = JSON.parse(text); } catch { /* a proxy answered */ }
  return new KalendsError(res.status, said.code ?? "", said.message ?? `${res.status} ${res.statusText}`, said.data ?? {});
}
