import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { TextParam, type ParamOptions } from '../../core/params/params.decorator.js';
import { treePathProblem } from '../../git/tree-path.js';

const MAX_LENGTH = 255;

/** Path of a file in the snippet's repository; refused is all that could leave a work tree. */
export function FilePathParam(options: ParamOptions = {}): PropertyDecorator {
  return applyDecorators(
    TextParam({ ...options, allowEmpty: false }),
    ValidateBy(
      { name: 'filePath', validator: { validate: (value) => isFilePath(value) } },
      { message: 'should be a valid file path' },
    ),
  );
}

function isFilePath(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  return value.length <= MAX_LENGTH && treePathProblem(value) === null;
}
