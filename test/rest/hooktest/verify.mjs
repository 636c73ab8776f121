// Verifies messages with the library of Standard Webhooks: [{secret, headers, body}], each of which has to be right, and wrong when changed.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const messages = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { secret, headers, body } of messages) {
  const hook = new Webhook(secret);
  if (JSON.stringify(hook.verify(body, headers)) !== JSON.stringify(JSON.parse(body))) throw new Error(`read otherwise: ${body}`);
  for (const [b, h] of [[body + " ", headers], [body, { ...headers, "webhook-id": "msg_other" }]]) {
    let taken = true;
    try { hook.verify(b, h); } catch { taken = false; }
    if (taken) throw new Error("a changed message is taken");
  }
}
console.log(`${messages.length} verified`);
