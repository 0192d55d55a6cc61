import { ApiError } from '../core/errors.js';

/** 422: the link of a mail was used, replaced by a later one, or waited too long. */
export class LinkRefusedError extends ApiError {
  constructor() {
    super(422, { message: 'The link has been used, or is too old. Ask for another mail.' });
  }
}
