import type { Viewer } from '../core/access/viewer.js';
import { ValidationFailedError } from '../core/errors.js';
import { isValidBranchName } from '../git/reference-name.js';
import { namingProblems } from '../groups/group-rules.js';
import type { VisibilityName } from '../members/visibility.js';
import { pathFromName } from '../users/namespace-path.js';
import type { CreateProjectDto } from './project.dto.js';
import { plainAttributes } from './project-attributes.js';
import type { NewProjectRepository } from './project-repositories.service.js';
import type { Project } from './project.entity.js';

export interface NewProject {
  dto: CreateProjectDto;
  namespaceId: number;
  creator: { id: number; name: string; email: string };
  /** User of the request; only administrators choose the storage. */
  viewer: Pick<Viewer, 'admin'>;
}

/** Everything about a project that is decided before anything is written. */
export interface ProjectPlan extends Omit<NewProjectRepository, 'projectId'> {
  name: string;
  path: string;
  namespaceId: number;
  visibility: VisibilityName;
  attributes: Partial<Project>;
  creator: { id: number };
}

const DEFAULT_BRANCH = 'main';

/** Name and path follow from each other when only one is given. Throws 400 per attribute. */
export function newProject(input: NewProject, storage: string): ProjectPlan {
  const { dto, namespaceId, creator } = input;
  const name = dto.name ?? dto.path ?? '';
  const path = dto.path ?? pathFromName(name);
  const problems = namingProblems({ name, path }, 'below');
  const defaultBranch = dto.default_branch || DEFAULT_BRANCH;
  if (!isValidBranchName(defaultBranch)) problems['default_branch'] = ['is invalid'];
  if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
  const text = dto.description ? `# ${name}\n\n${dto.description}\n` : `# ${name}\n`;
  return {
    name,
    path,
    namespaceId,
    visibility: dto.visibility ?? 'private',
    attributes: plainAttributes(dto),
    creator,
    storage,
    defaultBranch,
    readme:
      dto.initialize_with_readme === true
        ? { text, author: { name: creator.name, email: creator.email } }
        : null,
  };
}
