import { NotFoundError } from '../../../core/errors.js';
import { type CommitRecord, readCommit } from '../../../git/reading/commits.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { listTree, type TreeEntry } from '../../../git/reading/trees.js';
import type { Spot } from './code-reading.service.js';
import { refChoices, type RefChoices } from './ref-choices.js';
import { readmeOf, readShownFile, type ShownFile } from './shown-file.js';

/** A folder of a repository as a page shows it. */
export interface Folder {
  spot: Spot;
  entries: TreeEntry[];
  /** The newest commit of the revision. */
  commit: CommitRecord;
  readme: ShownFile | null;
  choices: RefChoices;
}

/** Reads what stands at a spot; null when that is no folder; 404 when the revision is gone. */
export async function readFolder(repository: OpenRepository, spot: Spot): Promise<Folder | null> {
  const entries = await listTree(repository, spot.oid, { path: spot.path });
  if (entries === null) return null;
  const commit = await readCommit(repository, spot.oid);
  if (commit === null) throw new NotFoundError();
  const choices = await refChoices(repository);
  const readme = readmeOf(entries);
  const shown = readme === null ? null : await readShownFile(repository, readme);
  return { spot, entries, commit, readme: shown, choices };
}
