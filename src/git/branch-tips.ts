import { gitOutput } from './git-process.js';
import { BRANCH_PREFIX, isValidReferenceName } from './reference-name.js';
import { readStoredReferences } from './reference-reader.js';

/** Object ids of those of the refs that exist; as a rule without a git process. */
export async function referenceTips(
  repository: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const wanted = references.filter(isValidReferenceName);
  if (wanted.length === 0) return new Map();
  const stored = await readStoredReferences(repository, wanted);
  const found = stored?.references ?? (await askForReferences(repository, wanted));
  const tips = found.filter(({ name }) => wanted.includes(name));
  return new Map(tips.map(({ name, oid }) => [name, oid]));
}

/** The same for branches, by their short names. */
export async function branchTips(
  repository: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const tips = await referenceTips(
    repository,
    names.map((name) => BRANCH_PREFIX + name),
  );
  return new Map([...tips].map(([ref, oid]) => [ref.slice(BRANCH_PREFIX.length), oid]));
}

async function askForReferences(
  repository: string,
  names: readonly string[],
): Promise<{ name: string; oid: string }[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...names];
  const lines = (await gitOutput(args, { cwd: repository })).toString('utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const space = line.indexOf(' ');
      return { oid: line.slice(0, space), name: line.slice(space + 1) };
    });
}
