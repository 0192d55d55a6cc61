import type { FileFacts, WholeFile } from './files-reader.service.js';

/** A file with its content. */
export interface RepositoryFileResponse {
  /** @example "index.js" */
  file_name: string;
  /** @example "src/index.js" */
  file_path: string;
  /** In bytes. */
  size: number;
  encoding: 'base64';
  /** @example "SGVsbG8K" */
  content: string;
  content_sha256: string;
  /** Requested branch, tag or commit. */
  ref: string;
  blob_id: string;
  commit_id: string;
  /** Last commit that changed the file. */
  last_commit_id: string;
  /** True if the file is executable. */
  execute_filemode: boolean;
}

/** A blob with its content. */
export interface BlobResponse {
  /** In bytes. */
  size: number;
  encoding: 'base64';
  /** @example "SGVsbG8K" */
  content: string;
  sha: string;
}

const EXECUTABLE = '100755';

/** A file at a revision. */
export function presentFile(file: WholeFile): RepositoryFileResponse {
  return {
    file_name: file.entry.name,
    file_path: file.entry.path,
    size: file.size,
    encoding: 'base64',
    content: file.content.toString('base64'),
    content_sha256: file.digest,
    ref: file.ref,
    blob_id: file.entry.id,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    execute_filemode: file.entry.mode === EXECUTABLE,
  };
}

/** The same as headers, which is how v4 answers HEAD. */
export function fileHeaders(file: FileFacts): Record<string, string> {
  return {
    'X-Svc-Blob-Id': file.entry.id,
    'X-Svc-Commit-Id': file.commitId,
    'X-Svc-Content-Sha256': file.digest,
    'X-Svc-Encoding': 'base64',
    'X-Svc-Execute-Filemode': String(file.entry.mode === EXECUTABLE),
    // Headers are ASCII: other names are sent as in an address.
    'X-Svc-File-Name': encodeURI(file.entry.name),
    'X-Svc-File-Path': encodeURI(file.entry.path),
    'X-Svc-Last-Commit-Id': file.lastCommitId,
    'X-Svc-Ref': encodeURI(file.ref),
    'X-Svc-Size': String(file.size),
  };
}

/** A blob by its id. */
export function presentBlob(sha: string, content: Buffer): BlobResponse {
  return { size: content.length, encoding: 'base64', content: content.toString('base64'), sha };
}
