// A client whose types come from the interface's own document. It walks the
// collections of a running server; what the types promise is what comes back.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Event = components["schemas"]["Event"];

const [base, login, password] = (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2);
if (!base || !login || !password) {
  throw new Error("base address, login and application password are missing");
}
const client = createClient<paths>({
  baseUrl: base,
  headers: { Authorization: "Basic " + btoa(`${login}:${password}`) },
});

function must<T>(result: { data?: T; error?: unknown; response: Response }, status: number): T {
  if (result.response.status !== status || result.data === undefined) {
    throw new Error(`${result.response.url}: ${result.response.status} ${JSON.stringify(result.error)}`);
  }
  return result.data;
}

function same(about: string, got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    throw new Error(`${about}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  }
}

const category = must(await client.POST("/categories", { body: { name: "Concerts" } }), 201);
const venue = must(await client.POST("/venues", { body: { venue: "Hall", city: "Berlin" } }), 201);
const organizer = must(await client.POST("/organizers", { body: { organizer: "Club" } }), 201);
const made: Event = must(
  await client.POST("/events", {
    body: {
      title: "Made by a client",
      start_date: "2030-03-01 19:00:00",
      end_date: "2030-03-01 21:00:00",
      venue: [venue.id],
      organizer: [organizer.id],
      categories: [category.id],
    },
  }),
  201,
);
same("title", made.title, "Made by a client");

const path = { path: { id: made.id } };
const changed = must(await client.PATCH("/events/{id}", { params: path, body: { featured: true } }), 200);
same("featured", changed.featured, true);
same("start_date", changed.start_date, made.start_date);

const read = must(await client.GET("/events/{id}", { params: path }), 200);
same("slug", read.slug, made.slug);
const bySlug = must(await client.GET("/events/by-slug/{slug}", { params: { path: { slug: read.slug } } }), 200);
same("by slug", bySlug.id, made.id);

const list = must(
  await client.GET("/events", { params: { query: { start_date: "2030-01-01", end_date: "2030-12-31", per_page: 5 } } }),
  200,
);
same("total", list.total, 1);
same("first", list.events[0]?.id, made.id);

const refused = await client.GET("/events/{id}", { params: { path: { id: 999999 } } });
same("unknown event", [refused.response.status, refused.error?.code], [404, "rest-event-not-found"]);

const removed = must(await client.DELETE("/events/{id}", { params: path }), 200);
same("status", removed.status, "trash");
console.log("the client is content");
