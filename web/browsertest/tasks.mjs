// What an editor and a provider do, each task as a person would, its clicks counted, with pictures
// of how it ends in out/; with DOCS=1 those of the guide go to docs/pictures, too.
//
//	node tasks.mjs ../../bin/kalends
//	node tasks.mjs ../../bin/kalends firstEvent,colleague    does these alone
import { browser, counts, out, problems, service, signedIn } from './tasks_kit.mjs'
import { tasks as event } from './tasks_event.mjs'
import { tasks as many } from './tasks_many.mjs'
import { tasks as truth } from './tasks_truth.mjs'
import { tasks as people } from './tasks_people.mjs'
import { tasks as sender } from './tasks_sender.mjs'
import { tasks as provider } from './tasks_console.mjs'

const only = (process.argv[3] ?? process.env.ONLY)?.split(',')
const tasks = Object.entries({ ...event, ...many, ...truth, ...people, ...sender, ...provider }).filter(([name]) => !only || only.includes(name))
const table = []
try {
  const page = await signedIn()
  for (const [name, task] of tasks) {
    const before = problems.length
    counts.length = 0
    await task(page).catch(async (error) => {
      problems.push(`${name}: ${error.stack}`)
      await page.screenshot({ path: `${out}task-failed-${name}.png` })
    })
    for (const problem of problems.slice(before)) console.error(problem)
    table.push(`${name.padEnd(20)} ${counts.join(' + ').padEnd(12)} ${problems.length > before ? 'failed' : 'done'}`)
  }
} catch (error) {
  problems.push(error.stack)
  console.error(error.stack)
} finally {
  await browser.close()
  await service.stop()
}
for (const line of table) console.log(line)
console.log(`${table.filter((line) => line.endsWith('done')).length} of ${tasks.length} tasks done, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
