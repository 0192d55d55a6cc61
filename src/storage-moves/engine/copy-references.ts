import { formatPackedRefs } from './packed-refs.js';
import { readReferences } from './repository-references.js';

export interface ReferenceFile {
  path: string;
  content: Buffer;
}

/**
 * The files that hold a repository's references in its copy: all direct ones in one
 * packed-refs (50,000 loose files would be 50,000 writes), symbolic ones each in its own
 * file, because packed-refs cannot hold them.
 */
export async function copyReferences(source: string): Promise<ReferenceFile[]> {
  const { direct, symbolic, traits } = await readReferences(source);
  const files: ReferenceFile[] = [];
  if (direct.size > 0) {
    const text = formatPackedRefs([...direct.values()], traits);
    files.push({ path: 'packed-refs', content: Buffer.from(text, 'latin1') });
  }
  for (const [path, target] of symbolic) {
    files.push({ path, content: Buffer.from(`ref: ${target}\n`, 'latin1') });
  }
  return files;
}
