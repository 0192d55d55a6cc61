import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../../core/access/auth-context.js';
import { UnauthorizedError } from '../../core/errors.js';
import { pathParam } from '../../core/params/path-param.js';
import { readPreconditions } from '../../core/preconditions.js';
import { currentProject } from '../../workspace/projects/project-access.guard.js';
import type { FileChangeRequest } from './file-changes.service.js';

/**
 * The file that the path names, who changes it and under which conditions:
 * `update(@FileOfPath() request: FileChangeRequest)`.
 */
export const FileOfPath = createParamDecorator(
  (_: unknown, context: ExecutionContext): FileChangeRequest => {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    if (viewer === null) throw new UnauthorizedError();
    return {
      project: currentProject(request),
      viewer,
      path: pathParam(request, 'file_path'),
      preconditions: readPreconditions(request),
    };
  },
);
