import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../core/errors.js';
import { given } from '../../../core/ui/forms.js';
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

  /** Returns the parameters for those fields of a side bar that the form has. */
  async attributesIn(
    form: Readonly<Record<string, unknown>>,
    roles: readonly ('assignees' | 'reviewers')[],
  ): Promise<Record<string, unknown>> {
    const plain = ['labels', 'milestone_id', 'due_date'].filter((name) => name in form);
    const params: Record<string, unknown> = Object.fromEntries(
      plain.map((name) => [name, given(form, name)]),
    );
    for (const role of roles.filter((name) => name in form)) {
      params[`${role.slice(0, -1)}_ids`] = await this.idsOf(given(form, role), role);
    }
    return params;
  }
}

function namesIn(text: string): string[] {
  const names = text.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase());
  return names.filter((name) => name !== '');
}

function refusal(field: string, problem: string): ValidationFailedError {
  return new ValidationFailedError({ [field]: [problem] });
}
