import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CSRF_FIELD } from '../access/csrf.js';
import {
  ApiError,
  InvalidParamsError,
  ValidationFailedError,
  type ErrorBody,
  type ValidationMessages,
} from '../errors.js';

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

/** Validation errors of a form. */
export interface FormProblems {
  /** Whole sentences by the name of their field. */
  fields: Record<string, string[]>;
  /** Errors that belong to no single field. */
  general: string[];
}

/** Error statuses that the user can correct. */
const CORRECTABLE = [400, 409, 422];

/**
 * Returns the form errors of a refused service call; rethrows everything that the user cannot
 * correct.
 */
export function formErrors(error: unknown): FormProblems {
  if (error instanceof InvalidParamsError) return ofProblems(error.problems);
  if (error instanceof ValidationFailedError) return ofMessages(error.messages);
  if (error instanceof ApiError && CORRECTABLE.includes(error.status)) return ofRefusal(error);
  throw error;
}

/** Texts such as `title is missing`, which begin with the name of the parameter. */
function ofProblems(problems: readonly string[]): FormProblems {
  const fields: FormProblems['fields'] = {};
  for (const problem of problems) {
    const end = problem.indexOf(' ');
    const name = end === -1 ? problem : problem.slice(0, end);
    (fields[name] ??= []).push(sentence(name, problem.slice(name.length + 1)));
  }
  return { fields, general: [] };
}

function ofMessages(messages: ValidationMessages, prefix = ''): FormProblems {
  const found: FormProblems = { fields: {}, general: [] };
  for (const [attribute, value] of Object.entries(messages)) {
    const name = prefix === '' ? attribute : `${prefix}[${attribute}]`;
    if (Array.isArray(value)) {
      if (attribute === 'base') found.general.push(...value.map((text) => sentence('', text)));
      else found.fields[name] = value.map((text) => sentence(name, text));
      continue;
    }
    const inner = ofMessages(value, name);
    Object.assign(found.fields, inner.fields);
    found.general.push(...inner.general);
  }
  return found;
}

function ofRefusal({ body }: ApiError): FormProblems {
  const { message, error_description: description, error } = body;
  if (Array.isArray(message)) {
    return { fields: {}, general: message.map((text) => sentence('', String(text))) };
  }
  const isHash = typeof message === 'object' && message !== null;
  // Spam is refused with a text inside of a hash (API doc, Errors 7).
  const inner = isHash ? (message as ErrorBody)['error'] : undefined;
  if (isHash && typeof inner !== 'string') return ofMessages(message as ValidationMessages);
  const text = [description, inner, message, error].find(
    (one) => typeof one === 'string',
  ) as string;
  return { fields: {}, general: [sentence('', text.replace(/^\d{3} (?:Bad request - )?/i, ''))] };
}

/** `access_level`, `has no valid value` → `Access level has no valid value.` */
function sentence(name: string, text: string): string {
  const words = name
    .replace(/[[\]_]+/g, ' ')
    .trim()
    .replace(/ id$/, '')
    .replace(/\buri\b/, 'URI')
    .replace(/\bapi url\b/, 'API URL');
  const line = `${words} ${text}`.trim();
  const ended = /[.!?]$/.test(line) ? line : `${line}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

/**
 * Why a button did nothing, as whole sentences for the message on the next page. What is no answer
 * to a button (404, a fault of ours) is thrown again.
 */
export function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.status === 403) return forbiddenText(error);
  const { general, fields } = formErrors(error);
  return [...general, ...Object.values(fields).flat()].join(' ');
}

function forbiddenText({ body }: ApiError): string {
  const reason = String(body['message']).replace(/^403 Forbidden(?: - )?/, '');
  const text = reason === '' ? 'Not allowed' : reason;
  return text.endsWith('.') ? text : `${text}.`;
}
