import {
  createParamDecorator,
  Injectable,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import type { Request } from 'express';
import { InvalidParamsError } from '../errors.js';
import { toList } from './coerce.js';
import { declaredParams } from './params.decorator.js';

type RawInput = Record<string, unknown>;

/**
 * Query, form and JSON parameters as one hash (API doc, Endpoints); the body wins.
 * A JSON body that is no object counts as no parameters.
 */
export function rawInput(request: Request): RawInput {
  const body: unknown = request.body;
  const fromBody = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return { ...request.query, ...fromBody };
}

/** Checks raw parameters against the DTO class of the decorated argument. */
@Injectable()
class InputPipe implements PipeTransform<RawInput, Promise<unknown>> {
  async transform(raw: RawInput, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as new () => object;
    return parseInput(type, raw);
  }
}

/** Parameters that any request accepts for authentication and sudo. */
const OF_ANY_REQUEST = ['private_token', 'access_token', 'job_token', 'sudo'];

@Injectable()
class StrictInputPipe implements PipeTransform<RawInput, Promise<unknown>> {
  async transform(raw: RawInput, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as new () => object;
    const known = [...Object.keys(declaredParams(type)), ...OF_ANY_REQUEST];
    const unknown = Object.keys(raw).filter((name) => !known.includes(name));
    if (unknown.length === 0) return parseInput(type, raw);
    const problems = unknown.map((name) => `${name} is unknown`);
    await parseInput(type, raw).catch((error: unknown) => {
      if (!(error instanceof InvalidParamsError)) throw error;
      problems.unshift(...error.problems);
    });
    throw new InvalidParamsError(problems);
  }
}

/**
 * Classes that accept requests without any parameter, as most list requests are: that never
 * changes, and validating it again would take longer than all other parameter handling.
 */
const acceptingNothing = new WeakSet<new () => object>();

/**
 * Converts raw parameters into an instance of `type`, without unknown ones. Absent parameters stay
 * absent, so that a PUT can check `'name' in dto`. Throws InvalidParamsError with one text per
 * broken parameter, in order of declaration, inherited ones first.
 */
export async function parseInput<T extends object>(type: new () => T, raw: RawInput): Promise<T> {
  const given = readableInput(type, raw);
  const dto = plainToInstance(type, given);
  const isEmpty = Object.keys(given).length === 0;
  if (isEmpty && acceptingNothing.has(type)) return dto;
  const errors = await validate(dto, {
    whitelist: true,
    stopAtFirstError: true,
    forbidUnknownValues: false,
  });
  const problems = inOrderOf(type, errors).flatMap((error) => describe(error, ''));
  if (problems.length > 0) throw new InvalidParamsError(problems);
  if (isEmpty) acceptingNothing.add(type);
  return dto;
}

/** class-validator goes through the properties of a subclass before the inherited ones. */
function inOrderOf(type: new () => object, errors: ValidationError[]): ValidationError[] {
  const names = Object.keys(declaredParams(type));
  return errors.toSorted((a, b) => names.indexOf(a.property) - names.indexOf(b.property));
}

/**
 * Only what is declared. `v[0][k]=…` arrives as an object with numeric keys once it is longer than
 * the parser's bound.
 */
function readableInput(type: new () => object, raw: RawInput): RawInput {
  const declared = declaredParams(type);
  const entries = Object.entries(raw)
    .filter(([name]) => Object.hasOwn(declared, name))
    // Files are parameters only where one is declared.
    .filter(([name, value]) => declared[name]?.kind === 'file' || !Buffer.isBuffer(value))
    .map(([name, value]): [string, unknown] => {
      if (Buffer.isBuffer(value)) return [name, value];
      // As text nothing below here touches it; the declaration reads it again.
      if (declared[name]?.asSent === true) return [name, JSON.stringify(value)];
      const isHash = typeof value === 'object' && value !== null && !Array.isArray(value);
      const looksIndexed = isHash && '0' in value;
      return [name, withoutConstructors(looksIndexed ? toList(value, false) : value)];
    });
  return Object.fromEntries(entries);
}

/** class-transformer takes a member `constructor` for the class of the hash, and calls it. */
function withoutConstructors(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutConstructors);
  const members = Object.entries(value).filter(([name]) => name !== 'constructor');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutConstructors(member)]));
}

function describe(error: ValidationError, prefix: string): string[] {
  const name = prefix === '' ? error.property : `${prefix}[${error.property}]`;
  const own = Object.values(error.constraints ?? {}).map((problem) => `${name} ${problem}`);
  const nested = (error.children ?? []).flatMap((child) =>
    /^\d+$/.test(child.property)
      ? (child.children ?? []).flatMap((grandchild) => describe(grandchild, name))
      : describe(child, name),
  );
  // A value that is no list of hashes at all needs only one error.
  return own.length > 0 ? own.slice(0, 1) : nested;
}

/**
 * The request's parameters, checked against the argument's DTO class:
 * `create(@Input() dto: CreateProjectDto)`. With `refusesUnknown`, undeclared
 * parameters are a 400, for changes whose absence would otherwise go unnoticed.
 */
export const Input = ({ refusesUnknown = false } = {}): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext) =>
    rawInput(context.switchToHttp().getRequest<Request>()),
  )(refusesUnknown ? StrictInputPipe : InputPipe);

/** 400 for a request that leaves out all of the parameters of which it needs at least one. */
export function assertSomethingGiven<Name extends string>(
  dto: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): void {
  if (names.some((name) => dto[name] !== undefined)) return;
  const list = names.join(', ');
  throw new InvalidParamsError([`${list} are missing, at least one parameter must be provided`]);
}
