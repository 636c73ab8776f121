// Two clients of orval: one that fetches, and one that checks what is sent and what comes back.
export default {
  fetch: { input: "./doc.json", output: { target: "./orval/client.ts", client: "fetch", baseUrl: process.env.BASE } },
  zod: { input: "./doc.json", output: { target: "./orval/zod.ts", client: "zod" } },
};
