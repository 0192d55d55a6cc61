import 'reflect-metadata';

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
export function recordParam(declaration: ParamDeclaration): PropertyDecorator {
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
