import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import {
  INVALID,
  toBoolean,
  toDate,
  toDateTime,
  toFile,
  toInteger,
  toList,
  toNumber,
  toText,
} from './coerce.js';

/** Options of a parameter's decorator, for the API description. */
export interface ParamDeclaration {
  kind:
    | 'integer'
    | 'number'
    | 'text'
    | 'boolean'
    | 'date'
    | 'datetime'
    | 'list'
    | 'hashes'
    | 'hash'
    | 'json'
    | 'file';
  required?: boolean;
  description?: string;
  values?: readonly (number | string)[];
  /** Range of an integer, or of the values of a hash. */
  min?: number;
  max?: number;
  allowEmpty?: boolean;
  maxLength?: number;
  format?: 'uri';
  /** Type of a list's items or a hash's values. */
  of?: 'text' | 'integer' | 'text or integer';
  commaSeparated?: boolean;
  maxItems?: number;
  /** Class of the hashes in a list of hashes, or of a hash. */
  type?: () => new () => object;
  /** The value stays as it was sent, to the last member: who reads it checks it. */
  asSent?: boolean;
}

const PARAMS_KEY = 'guildhall:params';

type Declarations = Readonly<Record<string, ParamDeclaration>>;

/** Remembers a parameter's declaration with its class; changes nothing at run time. */
function recordParam(declaration: ParamDeclaration): PropertyDecorator {
  return (prototype, property) => {
    const known = Reflect.getMetadata(PARAMS_KEY, prototype) as Declarations | undefined;
    const all = { ...known, [String(property)]: declaration };
    Reflect.defineMetadata(PARAMS_KEY, all, prototype);
  };
}

/** Declarations of a DTO class by name, inherited ones first; empty for any other class. */
export function declaredParams(type: new () => object): Declarations {
  const known = Reflect.getMetadata(PARAMS_KEY, type.prototype as object);
  return (known as Declarations | undefined) ?? {};
}

/** Options of every parameter. */
export interface ParamOptions {
  required?: boolean;
  /** For the API description, where the property is made by code and has no doc comment. */
  description?: string;
}

interface IntegerOptions extends ParamOptions {
  values?: readonly number[];
  min?: number;
}

interface TextOptions extends ParamOptions {
  values?: readonly string[];
  allowEmpty?: boolean;
  maxLength?: number;
}

interface ListOptions extends ParamOptions {
  of?: 'text' | 'integer';
  values?: readonly string[];
  commaSeparated?: boolean;
  maxItems?: number;
}

/** Integer; `values` limits it to a list, `min` refuses less. Absent stays absent. */
export function IntegerParam(options: IntegerOptions = {}): PropertyDecorator {
  const { values, min } = options;
  return declare({ kind: 'integer', ...options }, toInteger, (value) => {
    if (values && !values.includes(value as number)) return 'does not have a valid value';
    return min !== undefined && (value as number) < min ? 'has a value not allowed' : null;
  });
}

/** Number with or without decimals. Absent stays absent. */
export function NumberParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'number', ...options }, toNumber, () => null);
}

/** Text; `values` limits it to a list (exact case). Required text can be empty unless refused. */
export function TextParam(options: TextOptions = {}): PropertyDecorator {
  const { values, allowEmpty = true, maxLength } = options;
  return declare({ kind: 'text', ...options }, toText, (value) => {
    const text = value as string;
    if (text.includes('\0')) return 'is invalid';
    if (values && !values.includes(text)) return 'does not have a valid value';
    if (!allowEmpty && text.trim() === '') return 'is empty';
    return maxLength !== undefined && text.length > maxLength ? 'is too long' : null;
  });
}

/** true or false in the spellings of forms and JSON. */
export function BooleanParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'boolean', ...options }, toBoolean, () => null);
}

/** `YYYY-MM-DD`, kept as text; a date with a time is reduced to its day. */
export function DateParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'date', ...options }, toDate, () => null);
}

/** ISO 8601 date and time as a Date. */
export function DateTimeParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'datetime', ...options }, toDateTime, () => null);
}

/** A file of a multipart body as a Buffer; null for an empty text, which removes what was stored. */
export function FileParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'file', ...options }, toFile, () => null);
}

/** List of texts or integers, at most `maxItems` (100) of them. */
export function ListParam(options: ListOptions = {}): PropertyDecorator {
  const { of = 'text', values, commaSeparated = false, maxItems = 100 } = options;
  const toItem = of === 'integer' ? toInteger : toText;
  const coerce = (raw: unknown): unknown => {
    const list = toList(raw, commaSeparated);
    if (!Array.isArray(list)) return INVALID;
    const items: unknown[] = list.map(toItem);
    return items.some((item) => item === INVALID || item === null) ? INVALID : items;
  };
  return declare({ kind: 'list', ...options, of, maxItems }, coerce, (value) => {
    const items = value as unknown[];
    if (items.length > maxItems) return 'has a value not allowed';
    const listed = !values || items.every((item) => values.includes(item as string));
    return listed ? null : 'does not have a valid value';
  });
}

/** List of hashes, each checked against the class that `type` returns; `v[0][k]=..` in forms. */
export function HashListParam(
  type: () => new () => object,
  options: ParamOptions & { maxItems?: number } = {},
): PropertyDecorator {
  const { maxItems = 100 } = options;
  return applyDecorators(
    Type(type),
    ValidateNested({ each: true }),
    declare(
      { kind: 'hashes', ...options, maxItems, type },
      (raw) => raw,
      (value) => {
        if (!Array.isArray(value) || !value.every(isHash)) return 'is invalid';
        return value.length > maxItems ? 'has a value not allowed' : null;
      },
    ),
  );
}

/**
 * A value of any form, which its reader checks: exactly as it was sent, with members that no class
 * declares. The options are for the API description, but for `required`.
 */
export function ValueAsSent(
  options: Pick<ParamDeclaration, 'kind' | 'required' | 'of' | 'maxItems' | 'type'>,
): PropertyDecorator {
  return declare(
    { ...options, asSent: true },
    (text) => JSON.parse(text as string) as unknown,
    () => null,
  );
}

function isHash(item: unknown): boolean {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/**
 * Declares a kind of parameter: `coerce` returns its value or INVALID, `check` gets coerced values
 * only and returns the problem's text or null.
 */
export function declare(
  options: ParamDeclaration,
  coerce: (value: unknown) => unknown,
  check: (value: unknown) => string | null,
): PropertyDecorator {
  const problemOf = (value: unknown): string | null => {
    if (value === undefined || value === null) return options.required ? 'is missing' : null;
    return value === INVALID ? 'is invalid' : check(value);
  };
  const messages: ValidationOptions = {
    message: (args: ValidationArguments) => problemOf(args.value) ?? '',
  };
  return applyDecorators(
    recordParam(options),
    Transform(({ value }: { value: unknown }) => (value === undefined ? value : coerce(value))),
    ValidateIf((_, value) => options.required === true || value !== undefined),
    ValidateBy(
      { name: 'declaredParam', validator: { validate: (value) => problemOf(value) === null } },
      messages,
    ),
  );
}
