import { ValidationFailedError } from '../core/errors.js';
import { VISIBILITY } from '../members/visibility.js';
import type { UpdateSnippetDto } from './snippet.dto.js';
import type { Snippet } from './snippet.entity.js';

const MAX_TITLE_LENGTH = 255;

/** Columns that an update sets: those given; null clears the description and keeps the others. */
export function changedAttributes(dto: UpdateSnippetDto): Partial<Snippet> {
  if (dto.title) assertTitleLength(dto.title);
  return {
    ...(dto.title && { title: dto.title }),
    ...(dto.description !== undefined && { description: dto.description }),
    ...(dto.visibility && { visibility: VISIBILITY[dto.visibility] }),
  };
}

/** 400 for a title that is too long. */
export function assertTitleLength(title: string): void {
  if (title.length <= MAX_TITLE_LENGTH) return;
  throw new ValidationFailedError({
    title: [`is too long (maximum is ${MAX_TITLE_LENGTH} characters)`],
  });
}
