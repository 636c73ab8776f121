// Looks at every public page: see look.mjs.
//
//	node axe.mjs ../../bin/kalends        all of it
//	KALENDS_URL=http://… node axe.mjs     against a service that has the events
import { languages, looker } from './look.mjs'
import { pages, seed, seedSeries, start } from './service.mjs'

const service = process.env.KALENDS_URL ? { base: process.env.KALENDS_URL, stop: async () => {} } : await start(process.argv[2])
const eye = await looker(['public'], '')
try {
  if (!process.env.KALENDS_URL) {
    await seed(service)
    await seedSeries(service)
  }
  await Promise.all(languages.map(async (language) => {
    const page = await eye.page(language, service.base)
    for (const [name, path] of Object.entries(pages)) await eye.visit(page, `${service.base}/${language}${path}`, name)
    await page.context().close()
  }))
} catch (error) {
  eye.problems.push(error.stack)
} finally {
  await service.stop()
}
process.exit(await eye.end())
