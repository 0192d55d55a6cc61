import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { exampleOf } from '../../deploy/openapi/examples.js';
import { Requests, formOf, objectOf, queryOf } from '../../deploy/openapi/requests.js';
import { Schemas } from '../../deploy/openapi/schemas.js';
import {
  declaredParams,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../src/core/params/params.decorator.js';

const FILE = '/fixture.ts';

/** The type `Subject` of a source text, with the checker that knows it. */
function compile(source: string): { type: ts.Type; checker: ts.TypeChecker } {
  const host = ts.createCompilerHost({});
  const readFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === FILE
      ? ts.createSourceFile(FILE, source, ts.ScriptTarget.ES2023)
      : readFile(name, ...rest);
  const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2023 };
  const program = ts.createProgram([FILE], options, host);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(FILE);
  const symbol = file && checker.getSymbolAtLocation(file);
  const subject =
    symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === 'Subject');
  if (subject === undefined) throw new Error('the source exports no Subject');
  return { type: checker.getDeclaredTypeOfSymbol(subject), checker };
}

function schemasOf(source: string): Schemas {
  const { type, checker } = compile(source);
  const schemas = new Schemas(checker);
  schemas.schemaOf(type, 'handler');
  return schemas;
}

describe('schemas of answers', () => {
  it('follow the types of properties', () => {
    const { components, problems } = schemasOf(`
      interface Base { id: number }
      /** A thing. */
      export interface Subject extends Base {
        /**
         * Name of the object.
         * @example "Lathe"
         */
        name: string;
        state: 'open' | 'closed' | null;
        made_at: Date;
        /** @example 2026-12-31 */
        ends_at?: string | null;
        is_new: boolean;
        owner: Base;
        labels: string[];
        sizes: Record<string, number>;
      }`);
    expect(problems).toEqual([]);
    expect(components['Subject']).toEqual({
      description: 'A thing.',
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string', description: 'Name of the object.', examples: ['Lathe'] },
        state: { type: ['string', 'null'], enum: ['closed', 'open', null] },
        made_at: { type: 'string', format: 'date-time' },
        ends_at: { type: ['string', 'null'], format: 'date', examples: ['2026-12-31'] },
        is_new: { type: 'boolean' },
        owner: { $ref: '#/components/schemas/Base' },
        labels: { type: 'array', items: { type: 'string' } },
        sizes: { type: 'object', additionalProperties: { type: 'integer' } },
      },
      required: ['id', 'name', 'state', 'made_at', 'is_new', 'owner', 'labels', 'sizes'],
    });
  });

  it('put what is inherited first and name components without the marks of our code', () => {
    const { components } = schemasOf(`
      export interface BaseResponse { id: number }
      interface ThingJson extends BaseResponse { name: string }
      export interface Subject { thing: ThingJson; base: BaseResponse }`);
    expect(Object.keys(components)).toEqual(['Subject', 'Thing', 'Base']);
    expect(Object.keys(components['Thing']?.['properties'] as object)).toEqual(['id', 'name']);
  });

  it.each(['unknown', 'object', 'any', '{}'])('are refused for %s', (type) => {
    const { problems } = schemasOf(`export interface Subject { thing: ${type} }`);
    expect(problems).toEqual(['Subject.thing has no precise type']);
  });

  it('are refused for two types of one name', () => {
    const { problems } = schemasOf(`
      interface Thing { id: number }
      interface ThingResponse { name: string }
      export interface Subject { one: Thing; other: ThingResponse }`);
    expect(problems).toEqual(['Thing is the name of two types']);
  });

  it('end where a type contains itself', () => {
    const { components } = schemasOf(`export interface Subject { below: Subject[] }`);
    const reference = { $ref: '#/components/schemas/Subject' };
    expect(exampleOf(reference, 'answer', components)).toEqual({ below: [{}] });
  });
});

class ThingDto {
  @TextParam({ required: true, allowEmpty: false })
  name: string;

  @IntegerParam({ min: 1 })
  level?: number | null;

  @ListParam({ of: 'integer', maxItems: 5 })
  ids?: number[];
}

const THING_SOURCE = `
  export class Subject {
    /** Name of the object. */
    name: string;
    /** Height in meters. */
    level?: number | null;
    /** Which ones. */
    ids?: number[];
  }`;

describe('parameters', () => {
  function paramsOf(source: string): {
    params: ReturnType<Requests['paramsOf']>;
    problems: string[];
  } {
    const { type, checker } = compile(source);
    const requests = new Requests(checker, declaredParams);
    return { params: requests.paramsOf(ThingDto, type), problems: requests.problems };
  }

  it('follow decorators and comments, as body, form and query', () => {
    const { params, problems } = paramsOf(THING_SOURCE);
    expect(problems).toEqual([]);
    expect(objectOf(params)).toEqual({
      type: 'object',
      properties: {
        name: {
          type: 'string',
          minLength: 1,
          examples: ['Lathe'],
          description: 'Name of the object.',
        },
        level: {
          type: ['integer', 'null'],
          minimum: 1,
          examples: [3],
          description: 'Height in meters.',
        },
        ids: {
          type: ['array', 'null'],
          items: { type: 'integer' },
          maxItems: 5,
          examples: [[1]],
          description: 'Which ones.',
        },
      },
      required: ['name'],
    });
    expect(Object.keys(formOf(params)['properties'] as object)).toEqual(['name', 'level', 'ids[]']);
    expect(queryOf(params).map(({ name }) => name)).toEqual(['name', 'level', 'ids[]']);
  });

  it('are refused without words and without declaration', () => {
    const { problems } = paramsOf('export class Subject { name: string; colour: string }');
    expect(problems).toEqual([
      'ThingDto.colour has no declaration',
      'ThingDto.name has no doc comment',
      'ThingDto.level has no doc comment',
      'ThingDto.ids has no doc comment',
    ]);
  });
});
