import { isUtf8 } from 'node:buffer';
import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import { readBeginning, SnippetContentService } from '../snippet-content.service.js';
import type { SnippetRow } from '../snippets.repository.js';

/** A file as a page shows it. */
export interface ShownFile {
  path: string;
  /** null when it is no text, or too long to be shown. */
  text: string | null;
}

/** Longer files are offered for download only. */
const MAX_BYTES = 256 * 1024;

/** Reads the files of a snippet for pages. */
@Injectable()
export class ShownFiles {
  constructor(private readonly content: SnippetContentService) {}

  /** All files of the snippet, one after the other. */
  async of(snippet: SnippetRow): Promise<ShownFile[]> {
    const files: ShownFile[] = [];
    for (const path of snippet.filePaths)
      files.push({ path, text: await this.text(snippet, path) });
    return files;
  }

  private async text(snippet: SnippetRow, path: string): Promise<string | null> {
    try {
      const { content } = await this.content.openFile(snippet, 'HEAD', path);
      const bytes = await readBeginning(content, MAX_BYTES + 1);
      const isText = bytes.length <= MAX_BYTES && isUtf8(bytes) && !bytes.includes(0);
      return isText ? bytes.toString('utf8') : null;
    } catch (error) {
      // The row can name a file that a push has just removed.
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }
}
