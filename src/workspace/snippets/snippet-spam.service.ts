import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { NotesRepository } from '../notes/notes.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender } from '../spam/submission.js';
import {
  assertTitleLength,
  changedAttributes,
  type CreateSnippetDto,
  type UpdateSnippetDto,
} from './snippet.dto.js';
import { readBeginning, SnippetContentService } from './snippet-content.service.js';
import { assertUsableUpdate, initialFiles } from './snippet-files.js';
import type { SnippetRow } from './snippets.repository.js';

/** Of a file that is published later, this much is looked at. */
const MAX_BYTES = 256 * 1024;

/**
 * Checks snippets for spam that others than their author can see. Private ones are checked when
 * they become visible, including their existing files and comments.
 */
@Injectable()
export class SnippetSpamCheck {
  constructor(
    private readonly spam: SpamCheck,
    private readonly content: SnippetContentService,
    private readonly notes: NotesRepository,
  ) {}

  /** Throws 400 for bad parameters, 400 or 409 for spam. */
  async assertNewIsClean(dto: CreateSnippetDto, sender: SpamSender): Promise<void> {
    const { title, description, visibility } = dto;
    assertTitleLength(title);
    const files = initialFiles(dto).map((file) => file.content ?? '');
    if (VISIBILITY[visibility ?? 'private'] === VISIBILITY.private) return;
    const submission = { kind: 'snippet', title, prose: description ?? '', files } as const;
    await this.spam.assertClean(submission, sender);
  }

  /** As above, for a change of a snippet. */
  async assertChangeIsClean(
    snippet: SnippetRow,
    dto: UpdateSnippetDto,
    sender: SpamSender,
  ): Promise<void> {
    assertUsableUpdate(dto);
    const after = { ...snippet, ...changedAttributes(dto) };
    if (after.visibility === VISIBILITY.private) return;
    const { title, description } = after;
    const isOpened = after.visibility > snippet.visibility;
    const isRewritten = title !== snippet.title || description !== snippet.description;
    const sent = sentContents(dto);
    if (!isOpened && !isRewritten && sent.length === 0) return;
    const files = isOpened ? [...sent, ...(await this.presentContents(snippet))] : sent;
    const comments = isOpened ? await this.notes.findSuspectTexts('snippet', snippet.id) : [];
    const prose = description ?? '';
    const submission = { kind: 'snippet', title, prose, files, comments } as const;
    await this.spam.assertClean(submission, sender);
  }

  private async presentContents(snippet: SnippetRow): Promise<string[]> {
    const contents: string[] = [];
    for (const path of snippet.filePaths) contents.push(await this.beginning(snippet, path));
    return contents;
  }

  private async beginning(snippet: SnippetRow, path: string): Promise<string> {
    try {
      const { content } = await this.content.openFile(snippet, 'HEAD', path);
      return (await readBeginning(content, MAX_BYTES)).toString('utf8');
    } catch (error) {
      // The row can name a file that a push has just removed.
      if (error instanceof NotFoundError) return '';
      throw error;
    }
  }
}

function sentContents({ files, content }: UpdateSnippetDto): string[] {
  const contents = [content, ...(files ?? []).map((file) => file.content)];
  return contents.filter((text) => typeof text === 'string');
}
