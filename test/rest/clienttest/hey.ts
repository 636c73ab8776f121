// The client of @hey-api/openapi-ts makes the README's event and reads it again.
import { client } from "./hey/client.gen";
import { createEvent, getEvent } from "./hey/sdk.gen";

const [base, login, password] = (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2);
client.setConfig({ baseUrl: base, auth: (scheme) => (scheme.scheme === "basic" ? `${login}:${password}` : undefined) });

const made = await createEvent({
  body: {
    title: "Spring concert",
    start_date: "2027-03-20 19:30",
    end_date: "2027-03-20 22:00",
    categories: ["music"],
    venue: { venue: "Town hall", city: "Bonn" },
  },
  throwOnError: true,
});
const read = await getEvent({ path: { id: made.data.id }, query: { _fields: ["id", "venue.city"] }, throwOnError: true });
if (made.response.status !== 201 || JSON.stringify(read.data) !== JSON.stringify({ id: made.data.id, venue: { city: "Bonn" } })) {
  throw new Error(`${made.response.status} ${JSON.stringify(read.data)}`);
}
console.log("the client is content");
