// The clients of orval make the README's event; what is sent and what comes back is checked by what they make for zod.
import { createEvent } from "./orval/client";
import { CreateEventBody, CreateEventResponse } from "./orval/zod";

const [, login, password] = (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2);
const body = {
  title: "Spring concert",
  start_date: "2027-03-20 19:30",
  end_date: "2027-03-20 22:00",
  categories: ["music"],
  venue: { venue: "Town hall", city: "Bonn" },
};
CreateEventBody.parse(body);
const made = await createEvent(body, {}, { headers: { Authorization: "Basic " + btoa(`${login}:${password}`) } });
if (made.status !== 201) {
  throw new Error(JSON.stringify(made));
}
CreateEventResponse.parse(made.data);
console.log("the client is content");
