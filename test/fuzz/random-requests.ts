import fc from 'fast-check';
import type { ApiDescription, DescribedOperation, Schema } from './api-description.js';

/** One request that a client might send by mistake or on purpose. */
export interface RandomRequest {
  method: string;
  path: string;
  body: { type: string; text: string } | null;
  actor: number;
}

/** Ids and names of what exists, by the name of the path parameter that takes them. */
export type Known = (parameter: string, operation: DescribedOperation) => readonly string[];

const STRANGE = [
  '',
  '0',
  '-1',
  '999999999999999999999',
  '1e3',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  "'; DROP TABLE users; --",
  '%',
  '\\',
  '../../etc/passwd',
  'a'.repeat(300),
  '\u0000',
  '\u2028',
  '\ud83d\ude00',
  'Ünïcödé',
  '2026-02-30',
  '2026-01-01T00:00:00+02:00',
];
const strange = fc.oneof(
  fc.constantFrom(...STRANGE),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.integer().map(String),
);
/** A path segment that is empty or of dots belongs to another path. */
const strangeSegment = strange.filter((text) => !['', '.', '..'].includes(text));
/** Names that mean something to JavaScript itself. */
const MEMBERS = ['constructor', '__proto__', 'prototype', 'toString', 'then', 'length', '0'];
const strangeMember = fc
  .tuple(fc.constantFrom(...MEMBERS), strange)
  .map(([name, value]): object => Object.fromEntries([[name, value]]));
const strangeJson = fc.oneof(
  { weight: 3, arbitrary: strange },
  strangeMember,
  fc.jsonValue({ maxDepth: 2 }),
);
/** Undeclared parameters. */
const unknown = fc.array(fc.tuple(fc.constantFrom('x', ...MEMBERS), strangeJson), { maxLength: 1 });

/** Requests for one operation, mostly of the declared form, sometimes of any. */
export function requestsFor(
  description: ApiDescription,
  operation: DescribedOperation,
  { known, actors }: { known: Known; actors: number },
): fc.Arbitrary<RandomRequest> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const path = fc.tuple(
    ...inPath.map(({ name }) => {
      const values = known(name, operation);
      return values.length === 0
        ? strangeSegment
        : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, strangeSegment);
    }),
  );
  const query = fc
    .subarray(inQuery)
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(({ name, schema }) =>
          mostly(description, schema).map((value): [string, unknown] => [name, value]),
        ),
      ),
    );
  return fc
    .record({
      path,
      query,
      unknown,
      body: bodyOf(description, operation),
      actor: fc.nat(actors - 1),
    })
    .map((parts) => ({
      method: operation.method,
      path:
        filled(operation.path, inPath, parts.path) + queryText([...parts.query, ...parts.unknown]),
      body: parts.body,
      actor: parts.actor,
    }));
}

function bodyOf(
  description: ApiDescription,
  { body }: DescribedOperation,
): fc.Arbitrary<RandomRequest['body']> {
  if (body === null) return fc.constant(null);
  const params = fc
    .subarray(Object.entries(body))
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(([name, schema]) =>
          mostly(description, schema).map((value): [string, unknown] => [name, value]),
        ),
      ),
    );
  const json = params.map((entries) => JSON.stringify(Object.fromEntries(entries)));
  const form = params.map((entries) => queryText(entries).slice(1));
  const broken = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string(),
  );
  return fc.oneof(
    { weight: 5, arbitrary: json.map((text) => ({ type: 'application/json', text })) },
    {
      weight: 2,
      arbitrary: form.map((text) => ({ type: 'application/x-www-form-urlencoded', text })),
    },
    { weight: 1, arbitrary: broken.map((text) => ({ type: 'application/json', text })) },
    fc.constant(null),
  );
}

/** Mostly a value of the schema. */
function mostly(description: ApiDescription, schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: valueOf(description, schema) },
    { weight: 1, arbitrary: strangeJson },
  );
}

function valueOf(description: ApiDescription, given: Schema): fc.Arbitrary<unknown> {
  const schema = description.resolve<Schema>(given);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((one) => valueOf(description, one)));
  }
  const type = [schema.type].flat().find((name) => name !== 'null');
  switch (type) {
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueOf(description, schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [
            name,
            valueOf(description, inner),
          ]),
        ),
        { requiredKeys: [] },
      );
    default:
      return textOf(schema);
  }
}

function textOf({ format }: Schema): fc.Arbitrary<string> {
  const date = fc.date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2040-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  if (format === 'date') return date.map((day) => day.toISOString().slice(0, 10));
  if (format === 'date-time') return date.map((time) => time.toISOString());
  return fc.oneof(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }), strange);
}

function filled(path: string, parameters: { name: string }[], values: readonly string[]): string {
  return parameters.reduce(
    (text, { name }, at) => text.replace(`{${name}}`, encodeURIComponent(wellFormed(values[at]))),
    path,
  );
}

function wellFormed(text: string | undefined): string {
  return (text ?? '').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** `?a=1&b[]=2&c[k]=v` of the values, however deep. */
function queryText(entries: readonly [string, unknown][]): string {
  const pairs = entries.flatMap(([name, value]) => flattened(name, value));
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(value))}`).join('&')}`;
}

function flattened(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => flattened(`${name}[]`, item));
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flattened(`${name}[${wellFormed(key)}]`, inner),
  );
}
