import { describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import type { InvalidParamsError } from '../errors.js';
import { parseInput } from './input.decorator.js';
import {
  BooleanParam,
  HashListParam,
  IntegerParam,
  ListParam,
  TextParam,
  ValueAsSent,
} from './params.decorator.js';

class FileDto {
  @TextParam({ required: true })
  file_path: string;
}

class ExampleDto {
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  @BooleanParam()
  active?: boolean | null;

  @IntegerParam({ min: 1 })
  level?: number;

  @TextParam({ values: ['asc', 'desc'] })
  sort?: string;

  @ListParam({ of: 'integer' })
  ids?: number[];

  @HashListParam(() => FileDto)
  files?: FileDto[];
}

async function problemsOf(raw: Record<string, unknown>): Promise<unknown> {
  return parseInput(ExampleDto, raw).then(
    () => null,
    (error: InvalidParamsError) => error.body,
  );
}

describe('parsing input', () => {
  it('keeps absent parameters absent and leaves unknown ones out', async () => {
    const dto = await parseInput(ExampleDto, { title: 'x', nonsense: 1 });
    expect(Object.keys(dto)).toEqual(['title']);
  });

  it('coerces form texts to the declared types', async () => {
    const raw = { title: 5, active: 'false', level: '3', sort: 'asc', ids: ['1', '2'] };
    expect(await parseInput(ExampleDto, raw)).toEqual({
      title: '5',
      active: false,
      level: 3,
      sort: 'asc',
      ids: [1, 2],
    });
  });

  it('names a missing attribute in both keys', async () => {
    expect(await problemsOf({})).toEqual({
      message: '400 (Bad request) "title" not given',
      error: 'title is missing',
    });
  });

  it('lists every problem in the order of declaration', async () => {
    const raw = { title: ' ', active: 'maybe', level: 0, sort: 'up', ids: ['x'] };
    expect(await problemsOf(raw)).toMatchObject({
      error:
        'title is empty, active is invalid, level has a value not allowed, sort does not have a valid value, ids is invalid',
    });
  });

  it('takes null for an optional parameter and refuses it for a required one', async () => {
    expect(await parseInput(ExampleDto, { title: 'x', active: null })).toEqual({
      title: 'x',
      active: null,
    });
    expect(await problemsOf({ title: null })).toMatchObject({ error: 'title is missing' });
  });

  it('reads a list of hashes written as a list or by index', async () => {
    const expected = { title: 'x', files: [{ file_path: 'a' }, { file_path: 'b' }] };
    const listed = { title: 'x', files: [{ file_path: 'a' }, { file_path: 'b' }] };
    const indexed = { title: 'x', files: { 0: { file_path: 'a' }, 1: { file_path: 'b' } } };
    expect(await parseInput(ExampleDto, listed)).toEqual(expected);
    expect(await parseInput(ExampleDto, indexed)).toEqual(expected);
  });

  it.each([['text'], [['text']], [[null]], [[[[]]]], [{ a: 1 }]])(
    'refuses %p as a list of hashes',
    async (files) => {
      expect(await problemsOf({ title: 'x', files })).toMatchObject({ error: 'files is invalid' });
    },
  );

  it('names the broken attribute of a hash in a list', async () => {
    expect(await problemsOf({ title: 'x', files: [{}] })).toMatchObject({
      error: 'files[file_path] is missing',
    });
  });

  it.each<object>([
    { constructor: 1 },
    { unknown: { constructor: 1 } },
    { unknown: [{ constructor: 'Object' }] },
    { files: [{ file_path: 'a', constructor: 1, unknown: { constructor: 2 } }] },
    { files: { 0: { file_path: 'a', constructor: { constructor: 1 } } } },
  ])('does not let %j choose a class', async (part) => {
    const dto = await parseInput(ExampleDto, { title: 'x', ...part });
    expect(dto).toBeInstanceOf(ExampleDto);
    expect(dto).toEqual({ title: 'x', ...('files' in part && { files: [{ file_path: 'a' }] }) });
  });

  it.each([{ title: { constructor: 1 } }, { title: 'x', ids: [{ constructor: 1 }] }])(
    'refuses %j where no hash belongs',
    async (raw) => {
      expect(await problemsOf(raw)).toMatchObject({ error: expect.stringMatching(/ is invalid$/) });
    },
  );

  it('does not let a parameter change a prototype', async () => {
    const raw = JSON.parse('{"title":"x","__proto__":{"active":true}}') as Record<string, unknown>;
    const dto = await parseInput(ExampleDto, raw);
    expect(dto.active).toBeUndefined();
    expect(dto).toBeInstanceOf(ExampleDto);
  });
});

class AnyDto {
  @ValueAsSent({ kind: 'json', required: true })
  value: unknown;
}

describe('a value that stays as it was sent', () => {
  it.each<unknown>([
    { constructor: { constructor: 1 }, toString: 'x' },
    { 0: 'a', 1: 'b' },
    { 0: 'a', name: 'b' },
    [{ constructor: 1 }, [null]],
    'text',
    '"text"',
    '',
    5,
    false,
  ])('is %j to the last member', async (value) => {
    expect(await parseInput(AnyDto, { value })).toEqual({ value });
  });

  it.each([{}, { value: null }, { value: undefined }])('is missing in %j', async (raw) => {
    await expect(parseInput(AnyDto, raw)).rejects.toMatchObject({ problems: ['value is missing'] });
  });
});

describe('without any parameter', () => {
  class FilterDto {
    @TextParam({ values: ['asc', 'desc'] })
    sort?: string;
  }

  it('is taken again and again, as something new each time', async () => {
    const first = await parseInput(FilterDto, { other: '1' });
    const second = await parseInput(FilterDto, {});
    expect([first, second].map((dto) => Object.keys(dto))).toEqual([[], []]);
    expect(second).toBeInstanceOf(FilterDto);
    expect(second).not.toBe(first);
    await expect(parseInput(FilterDto, { sort: 'up' })).rejects.toThrow();
    await expect(parseInput(FilterDto, {})).resolves.toEqual({});
  });

  it('is refused again and again where one is required', async () => {
    const refusals = [await problemsOf({}), await problemsOf({})];
    expect(refusals).toEqual([
      expect.objectContaining({ error: 'title is missing' }),
      expect.objectContaining({ error: 'title is missing' }),
    ]);
  });
});
