import { ProjectAttributesDto } from './project-attributes.dto.js';

/** PUT /projects/:id; absent keeps, at least one must be given. */
export class UpdateProjectDto extends ProjectAttributesDto {}

/** In the order in which a refusal names them. */
export const UPDATABLE_ATTRIBUTES: readonly (keyof ProjectAttributesDto)[] = [
  'name',
  'path',
  'description',
  'visibility',
  'default_branch',
  'topics',
  'tag_list',
  'issues_enabled',
  'merge_requests_enabled',
  'wiki_enabled',
  'snippets_enabled',
  'request_access_enabled',
  'emails_enabled',
  'emails_disabled',
  'issues_access_level',
  'merge_requests_access_level',
  'wiki_access_level',
  'snippets_access_level',
  'repository_access_level',
  'avatar',
  'repository_storage',
];
