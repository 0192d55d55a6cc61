import { describe, expect, it } from '@jest/globals';
import {
  ApiError,
  BadRequestError,
  ConflictError,
  InvalidParamsError,
  NotFoundError,
  ValidationFailedError,
} from '../errors.js';
import { formErrors } from './forms.js';

describe('formErrors', () => {
  it('names the field of each broken parameter', () => {
    const error = new InvalidParamsError(['name is missing', 'access_level is invalid']);
    expect(formErrors(error)).toEqual({
      fields: { name: ['Name is missing.'], access_level: ['Access level is invalid.'] },
      general: [],
    });
  });

  it('names the field of each message of a check, and none for those of the whole', () => {
    const error = new ValidationFailedError({
      path: ['has already been taken', 'is too long'],
      base: ['the limit is reached'],
      owner: { user_id: ['is blocked'] },
    });
    expect(formErrors(error)).toEqual({
      fields: {
        path: ['Path has already been taken.', 'Path is too long.'],
        'owner[user_id]': ['Owner user is blocked.'],
      },
      general: ['The limit is reached.'],
    });
  });

  it('takes the reason of other refusals without their status', () => {
    const general = (error: Error): string[] => formErrors(error).general;
    expect(general(new ConflictError('Member already exists'))).toEqual(['Member already exists.']);
    expect(general(new BadRequestError('it was sent twice'))).toEqual(['It was sent twice.']);
    const spam = new ApiError(400, { message: { error: 'This has been recognized as spam' } });
    expect(general(spam)).toEqual(['This has been recognized as spam.']);
  });

  it('throws again what no other input would change', () => {
    expect(() => formErrors(new NotFoundError('Group'))).toThrow(NotFoundError);
    expect(() => formErrors(new TypeError('x'))).toThrow(TypeError);
  });

  it('takes every text of a list for a sentence', () => {
    const error = new ApiError(400, { message: ['Source branch "x" does not exist', 'Too late!'] });
    expect(formErrors(error)).toEqual({
      fields: {},
      general: ['Source branch "x" does not exist.', 'Too late!'],
    });
  });
});
