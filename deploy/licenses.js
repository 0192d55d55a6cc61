import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = `node_modules${sep}`;
const LICENSE_FILE = /^(licen[cs]e|copying|notice|third-?party-?notices?)([.-].*)?$/i;

/** Parts that are no packages: icons, written into pages. */
const OWN_COPIES = [{ title: 'Lucide', file: join(ROOT, 'docs', 'licenses', 'lucide.txt') }];

/**
 * Returns the licenses of the packages that the modules come from.
 * @param {Iterable<string>} moduleIds paths of bundled modules
 * @throws {Error} naming the packages without a license
 */
export function thirdPartyNotices(moduleIds) {
  const folders = [...new Set([...moduleIds].flatMap(packageFolder))].sort();
  const packages = folders.map(readPackage);
  const missing = packages.filter(({ text }) => text === '').map(({ title }) => title);
  if (missing.length > 0) throw new Error(`no license file in: ${missing.join(', ')}`);
  const copies = OWN_COPIES.map(({ title, file }) => ({ title, text: readFileSync(file, 'utf8') }));
  const line = '-'.repeat(80);
  const parts = [...copies, ...packages].map(
    ({ title, text }) => `${line}\n${title}\n${line}\n\n${text.trim()}\n`,
  );
  return `Guildhall contains the following software of others.\n\n${parts.join('\n')}`;
}

/**
 * @param {string} id
 * @returns {string[]} the folder of the module's package; none for modules of ours
 */
function packageFolder(id) {
  const at = id.lastIndexOf(MODULES);
  if (at === -1) return [];
  const start = at + MODULES.length;
  const [first = '', second = ''] = id.slice(start).split(sep);
  const name = first.startsWith('@') ? join(first, second) : first;
  return [id.slice(id.startsWith('\0') ? 1 : 0, start) + name];
}

/** @param {string} folder */
function readPackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  if (texts.length === 0) texts.push(statedLicense(manifest));
  const { name, version, license } = manifest;
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/**
 * Returns the license of a package that states it only in its manifest; '' if that is not MIT.
 * @param {{ name: string, license: string, author?: string | { name: string } }} manifest
 */
function statedLicense({ name, license, author = `the authors of ${name}` }) {
  if (license !== 'MIT') return '';
  const holder = typeof author === 'string' ? author : author.name;
  return readFileSync(join(ROOT, 'LICENSE'), 'utf8').replace(
    /^Copyright .*$/m,
    `Copyright (c) ${holder}`,
  );
}
