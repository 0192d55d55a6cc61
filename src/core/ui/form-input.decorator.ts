import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CSRF_FIELD } from '../access/csrf.js';

/**
 * The fields of the form that was sent, as they came: `create(@FormInput() form)`. To be checked
 * with `parseInput(Dto, form)` inside the handler, so that mistakes are shown in the form.
 */
export const FormInput = createParamDecorator(
  (_: unknown, context: ExecutionContext): Record<string, unknown> => {
    const body: unknown = context.switchToHttp().getRequest<Request>().body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
    return Object.fromEntries(Object.entries(body).filter(([name]) => name !== CSRF_FIELD));
  },
);

/** The field's text, '' for one that is missing or no text: to show a form again as it was sent. */
export function given(form: Record<string, unknown>, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}

/** The field's texts, none for one that is missing or no list: other items belong to no form. */
export function givenList(form: Record<string, unknown>, name: string): string[] {
  const value = form[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The fields that were filled in: a choice of "any", or "none", is a field that is not there. */
export function filledIn(form: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}
