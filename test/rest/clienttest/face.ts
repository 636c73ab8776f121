// Walks the small client over a server behind a proxy that loses the first answer to each write and refuses each third reading.
import { Kalends, KalendsError, version } from "./clients/ts/kalends.js";

const [base, login, password] = (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2) as [string, string, string];
const calendar = new Kalends(base, { login, password });

function same(about: string, got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${about}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

async function refused(about: string, call: () => Promise<unknown>, status: number, code: string): Promise<void> {
  try {
    await call();
  } catch (err) {
    if (!(err instanceof KalendsError)) throw err;
    return same(about, [err.status, err.code], [status, code]);
  }
  throw new Error(about + ": not refused");
}

const document = await calendar.request<{ info: { version: string } }>("GET", "/doc");
same("version", version, document.body.info.version);
same("me", (await calendar.me()).login, login);

const category = (await calendar.request<{ id: number }>("POST", "/categories", { body: { name: "Of TypeScript" } })).body.id;
const made: number[] = [];
for (let day = 1; day <= 9; day++) {
  const date = `2030-03-0${day}`;
  const event = await calendar.createEvent({ title: `Day ${day}`, start_date: `${date} 19:00`, end_date: `${date} 21:00`, categories: [category] });
  made.push(event.id);
}
const listed: number[] = [];
const filter = { categories: [category], start_date: "2030-01-01", end_date: "2030-12-31", per_page: 2 };
for await (const event of calendar.events(filter)) {
  listed.push(event.id);
  if (listed.length === 3) await calendar.deleteEvent(made[0]!, true); // on a page that was read
}
same("listed", listed, made);

const read = await calendar.event(made[1]!);
await calendar.updateEvent(made[1]!, { title: "Changed" }, { ifMatch: read.etag! });
await refused("an old version", () => calendar.updateEvent(made[1]!, { title: "Again" }, { ifMatch: read.etag! }), 412, "rest_precondition_failed");
await calendar.request("POST", "/fields", { body: { label: "Dogs", kind: "yes_no", of: ["event"], filter: true } });
await calendar.updateEvent(made[2]!, { fields: { dogs: true } });
const withDogs: number[] = [];
for await (const event of calendar.events({ start_date: "2030-01-01", end_date: "2030-12-31", fields: { dogs: "true" } })) withDogs.push(event.id);
same("by a field", withDogs, [made[2]]);
await refused("nothing there", () => calendar.event(999999), 404, "rest-event-not-found");

const first = await calendar.request<{ id: number }>("POST", "/venues", { body: { venue: "Hall" }, idempotencyKey: "ts-1" });
const again = await calendar.request<{ id: number }>("POST", "/venues", { body: { venue: "Hall" }, idempotencyKey: "ts-1" });
same("the same write", [again.body.id, again.replayed], [first.body.id, true]);

const mirror = new Map<number, string>();
const stop = new AbortController();
let token = "";
const steps: string[] = [];
for await (const step of calendar.follow({ categories: [category], since: "", wait: 5 }, stop.signal)) {
  steps.push(step.kind);
  if (step.kind === "change" && step.change.action === "deleted") mirror.delete(step.change.id);
  else if (step.kind === "change") mirror.set(step.change.id, step.change.action);
  else if (step.kind === "upToDate") {
    token = step.token;
    if (mirror.size === 8) await calendar.deleteEvent(made[8]!);
    else stop.abort();
  }
}
same("mirror", [...mirror.keys()].sort((a, b) => a - b), made.slice(1, 8));

const anew = new AbortController();
const kinds: string[] = [];
for await (const step of calendar.follow({ categories: [category], featured: false, since: token }, anew.signal)) { // bound to another filter
  kinds.push(step.kind);
  if (step.kind === "upToDate") anew.abort();
}
same("anew", [kinds[0], kinds.length], ["reset", 9]);
console.log("the client is content");
