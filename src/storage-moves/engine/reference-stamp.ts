import fs from 'node:fs';

/**
 * Coarsest clock of a filesystem (FAT, old ext3). Within one tick a second change leaves no trace,
 * so a directory that has just changed is not believed to have stayed the same.
 */
const TICK_MS = 2_000;

/** Modification stamps of the files and folders of a repository's references. */
export interface ReferenceStamp {
  identities: Map<string, string>;
  /** False when something changed too recently for its times to show a further change. */
  isReliable: boolean;
}

/**
 * Takes the stamp of a repository's references; must be taken BEFORE they are read.
 *
 * Git changes a reference, packed-refs and HEAD only by renaming a lock file over them
 * (gitrepository-layout(5), `<name>.lock`), and with that the times of their directory. So a few
 * directories show any push, however many references they contain.
 */
export function takeReferenceStamp(repository: string): ReferenceStamp {
  const takenAt = Date.now();
  const stamp: ReferenceStamp = { identities: new Map(), isReliable: true };
  for (const path of [repository, ...referenceDirectories(repository)]) {
    const { identity, changedAt } = look(path);
    if (changedAt > takenAt - TICK_MS) stamp.isReliable = false;
    stamp.identities.set(path, identity);
  }
  return stamp;
}

/** True only when nothing can have written references since the stamp was taken. */
export function isStampCurrent({ identities, isReliable }: ReferenceStamp): boolean {
  return (
    isReliable && [...identities].every(([path, identity]) => look(path).identity === identity)
  );
}

/** `refs` and everything below it; a directory that comes later changes the one it is in. */
function referenceDirectories(repository: string): string[] {
  const directories = [`${repository}/refs`];
  for (const directory of directories) {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) directories.push(`${directory}/${entry.name}`);
    }
  }
  return directories;
}

function look(path: string): { identity: string; changedAt: number } {
  const status = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  // Also for a name that is not UTF-8, whose status is unknown.
  if (status === undefined) return { identity: 'gone', changedAt: Infinity };
  const { dev, ino, mtimeNs, ctimeNs, ctimeMs } = status;
  return { identity: [dev, ino, mtimeNs, ctimeNs].join(' '), changedAt: Number(ctimeMs) };
}
