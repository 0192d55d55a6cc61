import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { type ParamOptions, TextParam } from '../core/params/params.decorator.js';
import { treePathProblem } from './tree-edit.js';

interface TreePathOptions extends ParamOptions {
  maxLength?: number;
}

/** Path of a file in a repository; refused is all that could leave a work tree. */
export function TreePathParam({ maxLength, ...options }: TreePathOptions = {}): PropertyDecorator {
  const isUsable = (value: unknown): boolean => {
    if (typeof value !== 'string') return true;
    return value.length <= (maxLength ?? Infinity) && treePathProblem(value) === null;
  };
  return applyDecorators(
    TextParam({ ...options, allowEmpty: false }),
    ValidateBy(
      { name: 'treePath', validator: { validate: isUsable } },
      { message: 'should be a valid file path' },
    ),
  );
}
