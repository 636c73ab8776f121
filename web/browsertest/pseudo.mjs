// Makes a program whose German, Arabic and Japanese are no languages: German has the longest text of all languages for each key, Arabic the
// same in Arabic letters, and Japanese the same length without a blank. A page that has room for these has it for all. It is for looking at
// pages alone and is never shipped.
//
//	node pseudo.mjs ../../bin/pseudo && LANGUAGES=de,ar,ja node languages.mjs ../../bin/pseudo
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url)), texts = join(root, 'i18n/texts')
const said = /^(admin|public|problem|error|import)\.|^date\.(month|weekday)\.\d+$/ // the rest are patterns, and words that are read
const alike = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u
const parts = /\{\{[^{}]*\}\}|\{\w+\}|<[^<>]*>|#|%\w|&\w+;/g // what is put in, and stays as it is

const catalogues = {}
for (const file of await readdir(texts)) if (file.endsWith('.json')) catalogues[file.slice(0, -5)] = JSON.parse(await readFile(join(texts, file), 'utf8'))

const other = (text) => typeof text === 'string' ? text : text?.other ?? ''
const placeholders = (text) => [...new Set(text.match(parts) ?? [])].sort().join()

/** The longest text for a key, with what the English one puts in. */
function longest(key) {
  const wanted = placeholders(other(catalogues.en[key]))
  return Object.values(catalogues).map((one) => other(one[key])).filter((text) => alike.test(text.replace(parts, '')) && placeholders(text) === wanted)
    .reduce((best, text) => text.length > best.length ? text : best, other(catalogues.en[key]))
}

/** A text whose letters are others; what is put in stays. */
function written(text, make) {
  const kept = text.match(parts) ?? []
  return text.split(parts).map(make).reduce((all, part, n) => all + kept[n - 1] + part)
}

const arabic = [...'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'], kana = [...'日本語催事一覧会場主催者検索設定公開予約登録変更確認']
const among = (letters, letter) => letters[letter.toLowerCase().codePointAt(0) % letters.length]
const makers = {
  de: (text) => text,
  ar: (text) => written(text, (part) => part.replace(/\p{L}\p{M}*/gu, (letter) => among(arabic, letter))),
  ja: (text) => written(text, (part) => {
    const letters = [...part.replace(/[^\p{L}\p{N}]/gu, '')]
    return letters.filter((_, n) => n % 2 === 0).map((letter) => among(kana, letter)).join('') // which are twice as wide
  }),
}

const made = await mkdtemp(join(tmpdir(), 'kalends-pseudo-')), replace = {}
try {
  for (const [language, make] of Object.entries(makers)) {
    const own = catalogues[language], catalogue = {}
    for (const [key, text] of Object.entries(own)) {
      const one = said.test(key) ? make(longest(key)) : undefined
      catalogue[key] = one === undefined ? text : typeof text === 'string' ? one : Object.fromEntries(Object.keys(text).map((form) => [form, one]))
    }
    const file = join(made, `${language}.json`)
    await writeFile(file, JSON.stringify(catalogue, null, 2))
    replace[join(texts, `${language}.json`)] = file
  }
  const overlay = join(made, 'overlay.json')
  await writeFile(overlay, JSON.stringify({ Replace: replace }))
  const { status } = spawnSync('go', ['build', '-overlay', overlay, '-o', process.argv[2], './cmd/kalends'], { cwd: root, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0' } })
  process.exitCode = status
} finally {
  await rm(made, { recursive: true, force: true })
}
