/** A file that differs between two trees. */
export interface ChangedFile {
  oldPath: string;
  newPath: string;
  /** Six digits; `000000` where the file is not there. */
  aMode: string;
  bMode: string;
  isNew: boolean;
  isRenamed: boolean;
  isDeleted: boolean;
}

const ABSENT = '000000';

const MOST_FIELDS = 3;

/**
 * Reads at least `count` files, when there are as many, of `--raw -z`. A file that became something else (a link, a submodule) is one deleted and one
 * new file, as git shows it in the patch.
 */
export function parseChangedFiles(output: string, count: number): ChangedFile[] {
  const fields = output.split('\0', count * MOST_FIELDS);
  const files: ChangedFile[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':') === true) {
    const [aMode = '', bMode = '', , , status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const oldPath = fields[at + 1] ?? '';
    const hasTwoPaths = status.startsWith('R') || status.startsWith('C');
    const newPath = hasTwoPaths ? (fields[at + 2] ?? '') : oldPath;
    at += hasTwoPaths ? 3 : 2;
    const file = { oldPath, newPath, aMode, bMode, isRenamed: status.startsWith('R') };
    const isDeleted = status === 'D';
    if (status !== 'T') files.push({ ...file, isNew: status === 'A', isDeleted });
    else {
      files.push({ ...file, bMode: ABSENT, isNew: false, isDeleted: true });
      files.push({ ...file, aMode: ABSENT, isNew: true, isDeleted: false });
    }
  }
  return files;
}
