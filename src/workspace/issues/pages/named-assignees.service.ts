import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../core/errors.js';
import { UsersRepository } from '../../../identity/users/users.repository.js';

const MOST = 100;

/** Finds the users of a form field with usernames, `assignees` by default. */
@Injectable()
export class NamedAssignees {
  constructor(private readonly users: UsersRepository) {}

  /** Returns the IDs of comma-separated usernames. Throws 400 for an unknown one. */
  async idsOf(text: string, field = 'assignees'): Promise<number[]> {
    const names = [...new Set(namesIn(text))];
    if (names.length === 0) return [];
    if (names.length > MOST) throw refusal(field, `are too many (maximum is ${MOST})`);
    const found = await this.users.findByUsernames(names);
    const unknown = names.find((name) =>
      found.every(({ username }) => username.toLowerCase() !== name),
    );
    if (unknown !== undefined) throw refusal(field, `contain an unknown name: ${unknown}`);
    return found.map(({ id }) => id);
  }
}

function namesIn(text: string): string[] {
  const names = text.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase());
  return names.filter((name) => name !== '');
}

function refusal(field: string, problem: string): ValidationFailedError {
  return new ValidationFailedError({ [field]: [problem] });
}
