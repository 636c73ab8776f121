// Looks at every public page: see look.mjs.
//
//	node axe.mjs ../../bin/kalends        all of it
//	KALENDS_URL=http://… node axe.mjs     against a service that has the events
import { languages, looker } from './look.mjs'
import { keptPages, mailing, pages, seed, seedSeries, start, turnLettersOn } from './service.mjs'

const service = process.env.KALENDS_URL ? { base: process.env.KALENDS_URL, stop: async () => {} } : await start(process.argv[2], mailing)
const eye = await looker(['public'], '')
try {
  if (!process.env.KALENDS_URL) {
    await seed(service)
    await seedSeries(service)
    await turnLettersOn(service, eye.browser)
    Object.assign(pages, await keptPages(service))
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
