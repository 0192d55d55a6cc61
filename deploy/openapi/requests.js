import { exampleOf } from './examples.js';
import { readExample } from './schemas.js';
import { docOf } from './sources.js';
import { orNull } from './unions.js';

/** @typedef {import('../../src/core/params/params.decorator.js').ParamDeclaration} Declaration */
/** @typedef {import('./schemas.js').Schema} Schema */
/** @typedef {import('./routes.js').Class} Class */

/**
 * One parameter of a DTO.
 * @typedef {object} Param
 * @property {string} name
 * @property {boolean} required
 * @property {string} description
 * @property {boolean} isList
 * @property {Schema} schema without null
 */

/** Makes parameters and bodies of DTO classes. */
export class Requests {
  /** @type {string[]} */
  problems = [];

  /**
   * @param {import('typescript').TypeChecker} checker
   * @param {(type: Class) => Record<string, Declaration>} declaredParams
   */
  constructor(checker, declaredParams) {
    this.checker = checker;
    this.declaredParams = declaredParams;
  }

  /**
   * @param {Class} dto
   * @param {import('typescript').Type} type the same class as the compiler sees it
   * @returns {Param[]}
   */
  paramsOf(dto, type) {
    const declared = this.declaredParams(dto);
    for (const { name } of this.checker.getPropertiesOfType(type)) {
      if (!(name in declared)) this.problems.push(`${dto.name}.${name} has no declaration`);
    }
    return Object.entries(declared).map(([name, declaration]) => {
      const symbol = this.checker.getPropertyOfType(type, name);
      const doc = symbol && docOf(symbol, this.checker);
      const description = doc?.text || declaration.description || '';
      if (description === '') this.problems.push(`${dto.name}.${name} has no doc comment`);
      const schema = this.#schemaOf(declaration, symbol);
      const given = doc?.example === undefined ? null : { examples: [readExample(doc.example)] };
      return {
        name,
        required: declaration.required === true,
        description: described(declaration, description),
        isList: declaration.kind === 'list',
        schema: { ...schema, ...(given ?? { examples: [exampleOf(schema, name)] }) },
      };
    });
  }

  /**
   * The `@example` of the class: of a body whose parameters do not all belong together.
   * @param {import('typescript').Type} type
   */
  exampleOf(type) {
    const symbol = type.getSymbol();
    const example = symbol && docOf(symbol, this.checker).example;
    return example === undefined ? undefined : readExample(example);
  }

  /**
   * @param {Declaration} declaration
   * @param {import('typescript').Symbol | undefined} symbol
   * @returns {Schema}
   */
  #schemaOf(declaration, symbol) {
    const { kind, values, min, max, allowEmpty, maxLength, maxItems, format } = declaration;
    const listed = values && { enum: [...values] };
    const range = {
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    };
    if (kind === 'integer') return { type: 'integer', ...listed, ...range };
    if (kind === 'file') return { type: 'string', format: 'binary' };
    if (kind === 'number') return { type: 'number' };
    if (kind === 'json') return { type: ['object', 'string'], additionalProperties: {} };
    if (kind === 'hash' && declaration.type !== undefined) {
      return this.#hashOf(declaration, symbol && this.#typeOf(symbol));
    }
    if (kind === 'hash' && declaration.of === 'text') {
      return { type: 'object', additionalProperties: { type: 'string' } };
    }
    if (kind === 'hash') {
      return { type: 'object', additionalProperties: { type: 'integer', ...range } };
    }
    if (kind === 'boolean') return { type: 'boolean' };
    if (kind === 'date') return { type: 'string', format: 'date' };
    if (kind === 'datetime') return { type: 'string', format: 'date-time' };
    if (kind === 'list') {
      return { type: 'array', items: { type: typeOfItems(declaration), ...listed }, maxItems };
    }
    if (kind === 'hashes') {
      const list = symbol && this.#typeOf(symbol);
      const item = list && this.checker.getIndexInfosOfType(list)[0]?.type;
      return { type: 'array', items: this.#hashOf(declaration, item), maxItems };
    }
    return {
      type: 'string',
      ...listed,
      ...(allowEmpty === false && { minLength: 1 }),
      ...(maxLength !== undefined && { maxLength }),
      ...(format !== undefined && { format }),
    };
  }

  /**
   * @param {Declaration} declaration
   * @param {import('typescript').Type | undefined} seen the same class as the compiler sees it
   */
  #hashOf({ type }, seen) {
    if (type === undefined || seen === undefined) return { type: 'object' };
    return objectOf(this.paramsOf(type(), seen));
  }

  /** @param {import('typescript').Symbol} symbol of a property */
  #typeOf(symbol) {
    return this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol));
  }
}

/** @param {Declaration} declaration */
function typeOfItems({ of }) {
  if (of === 'text or integer') return ['string', 'integer'];
  return of === 'integer' ? 'integer' : 'string';
}

/**
 * @param {Declaration} declaration
 * @param {string} description
 */
function described({ commaSeparated }, description) {
  if (!commaSeparated) return description;
  return `${description.replace(/\.?$/, '.')} List or comma-separated string.`;
}

/**
 * An object with these parameters; what is not required may be null, too.
 * @param {Param[]} params
 * @returns {Schema}
 */
export function objectOf(params) {
  const required = params.filter((param) => param.required).map(({ name }) => name);
  const properties = params.map((param) => {
    const schema = param.required ? param.schema : orNull(param.schema);
    return [param.name, { ...schema, description: param.description }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/**
 * The same parameters as a form spells them: lists as `name[]`.
 * @param {Param[]} params
 */
export function formOf(params) {
  return objectOf(
    params.map((param) => (param.isList ? { ...param, name: `${param.name}[]` } : param)),
  );
}

/** @param {Param[]} params */
export function queryOf(params) {
  return params.map(({ name, required, description, isList, schema }) => {
    const { examples, ...rest } = schema;
    return {
      name: isList ? `${name}[]` : name,
      in: 'query',
      ...(required && { required }),
      description,
      ...(isList && { style: 'form', explode: true }),
      ...(schema['type'] === 'object' && { style: 'deepObject', explode: true }),
      schema: rest,
      example: examples[0],
    };
  });
}
