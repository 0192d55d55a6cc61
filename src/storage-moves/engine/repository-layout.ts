export type FilePhase = 'object' | 'pack' | 'pack-index' | 'ref' | 'head' | 'other';

/** What the walk does with an entry: copy it, look inside it, leave it behind, or give up. */
export type Verdict = { take: FilePhase } | 'descend' | 'skip' | 'refuse';

const TOP_FILES = new Set(['shallow', 'config', 'description']);
// `shallow_XXXXXX` is there while upload-pack serves a shallow clone, and for good when it is killed.
const TOP_SKIPPED =
  /^(hooks|branches|FETCH_HEAD|ORIG_HEAD|gc\.pid|gc\.log|svc-move\.json|.*\.lock|tmp_.*|shallow_\w{6})$/;
const PACK_EXTENSIONS = new Set(['pack', 'rev', 'bitmap', 'mtimes', 'keep', 'promisor']);

/**
 * The allow and skip lists of a bare repository: what may travel to another storage.
 *
 * Hooks, locks, and the quarantine of a killed push never do; a top-level entry
 * nobody knows is refused rather than lost in silence.
 */
export function judgeEntry(path: string, isDirectory: boolean): Verdict {
  if (path.startsWith('refs/')) return judgeReference(path, isDirectory);
  const [top, ...rest] = path.split('/');
  if (top === 'HEAD' && rest.length === 0) return isDirectory ? 'refuse' : { take: 'head' };
  if (path === 'packed-refs') return isDirectory ? 'refuse' : { take: 'ref' };
  if (path === 'refs') return isDirectory ? 'descend' : 'refuse';
  if (top === 'objects') return judgeObject(rest, isDirectory);
  if (top === 'info') return judgeInfo(rest, isDirectory);
  if (top === 'custom_hooks' || top === 'logs') return judgeFreely(path, isDirectory);
  if (rest.length > 0) return 'refuse';
  if (TOP_SKIPPED.test(path)) return 'skip';
  if (TOP_FILES.has(path) && !isDirectory) return { take: 'other' };
  return 'refuse';
}

function judgeReference(path: string, isDirectory: boolean): Verdict {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // Git itself ignores both when it lists references.
  if (name.startsWith('.') || name.endsWith('.lock')) return 'skip';
  return isDirectory ? 'descend' : { take: 'ref' };
}

function judgeInfo(rest: string[], isDirectory: boolean): Verdict {
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  const known = rest.length === 1 && /^(attributes|exclude)$/.test(rest[0] ?? '');
  return known && !isDirectory ? { take: 'other' } : 'skip';
}

function judgeFreely(path: string, isDirectory: boolean): Verdict {
  if (isDirectory) return 'descend';
  return path.endsWith('.lock') ? 'skip' : { take: 'other' };
}

function judgeObject(rest: string[], isDirectory: boolean): Verdict {
  const [folder = '', name] = rest;
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  if (folder === 'info') return judgeObjectInfo(rest.slice(1), isDirectory);
  if (folder === 'pack') return judgePack(rest.slice(1), isDirectory);
  if (!/^[0-9a-f]{2}$/.test(folder)) return 'skip';
  if (name === undefined) return isDirectory ? 'descend' : 'skip';
  const isObject = rest.length === 2 && /^([0-9a-f]{38}|[0-9a-f]{62})$/.test(name);
  return isObject && !isDirectory ? { take: 'object' } : 'skip';
}

function judgeObjectInfo(rest: string[], isDirectory: boolean): Verdict {
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  const path = rest.join('/');
  if (path === 'commit-graphs') return isDirectory ? 'descend' : 'skip';
  const isGraph = /^(commit-graph|commit-graphs\/(commit-graph-chain|graph-[0-9a-f]+\.graph))$/;
  return isGraph.test(path) && !isDirectory ? { take: 'other' } : 'skip';
}

function judgePack(rest: string[], isDirectory: boolean): Verdict {
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  const [name = ''] = rest;
  if (rest.length > 1 || isDirectory || name.endsWith('.lock')) return 'skip';
  if (name.startsWith('multi-pack-index')) return { take: 'other' };
  if (!name.startsWith('pack-')) return 'skip';
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (extension === 'idx') return { take: 'pack-index' };
  return PACK_EXTENSIONS.has(extension) ? { take: 'pack' } : 'skip';
}

/** `objects/pack/pack-1.idx` → `objects/pack/pack-1`: the files of one pack share it. */
export function packStem(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}
