// Subscribes to a feed as people do: vdirsyncer fetches it, khal expands it. Both are
// of Debian.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether both programs are there. */
export const installed = () => Promise.all(['vdirsyncer', 'khal'].map((one) => run(one, ['--version']))).then(() => true, () => false)

/** What khal lists of a feed between two days: start, place and title. */
export async function listed(feed, from, to, zone) {
  const dir = await mkdtemp(join(tmpdir(), 'subscriber-'))
  try {
    const sync = join(dir, 'sync'), khal = join(dir, 'khal')
    await writeFile(sync, `[general]
status_path = "${dir}/status/"
[pair feed]
a = "there"
b = "here"
collections = null
conflict_resolution = "a wins"
[storage there]
type = "http"
url = "${feed}"
[storage here]
type = "filesystem"
path = "${dir}/events/"
fileext = ".ics"
`)
    await writeFile(khal, `[calendars]
[[feed]]
path = ${dir}/events/
readonly = True
[sqlite]
path = ${dir}/khal.db
[locale]
local_timezone = ${zone}
default_timezone = ${zone}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
`)
    await new Promise((resolve, reject) => {
      const child = execFile('vdirsyncer', ['-c', sync, 'discover'], (error) => error ? reject(error) : resolve())
      child.stdin.end('y\ny\n')
    })
    await run('vdirsyncer', ['-c', sync, 'sync'])
    const { stdout } = await run('khal', ['-c', khal, 'list', '-df', '', '-f', '{start}|{location}|{title}', from, to])
    return stdout.trim().split('\n').map((line) => line.split('|')).toSorted()
  } finally {
    await rm(dir, { recursive: true })
  }
}
