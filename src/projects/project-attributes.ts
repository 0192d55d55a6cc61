import { emailsEnabledOf } from '../groups/group-attributes.js';
import type { ProjectAttributesDto } from './project.dto.js';
import type { Project } from './project.entity.js';

const MAX_TOPIC_LENGTH = 255;

/** Columns that parameters set directly, without a rule of their own; absent stays absent. */
export function plainAttributes(dto: ProjectAttributesDto): Partial<Project> {
  const topics = dto.topics ?? dto.tag_list;
  return defined({
    description: dto.description,
    topics: topics === undefined ? undefined : normaliseTopics(topics),
    issuesEnabled: switched(dto.issues_enabled, dto.issues_access_level),
    mergeRequestsEnabled: switched(dto.merge_requests_enabled, dto.merge_requests_access_level),
    wikiEnabled: switched(dto.wiki_enabled, dto.wiki_access_level),
    snippetsEnabled: switched(dto.snippets_enabled, dto.snippets_access_level),
    repositoryEnabled: switched(undefined, dto.repository_access_level),
    requestAccessEnabled: dto.request_access_enabled ?? undefined,
    emailsEnabled: emailsEnabledOf(dto),
  });
}

/** The newer `*_access_level` wins over the boolean. */
function switched(
  enabled: boolean | null | undefined,
  level: string | null | undefined,
): boolean | undefined {
  if (level) return level === 'enabled';
  return enabled ?? undefined;
}

function normaliseTopics(topics: readonly string[]): string[] {
  const names = topics.map((topic) => topic.trim().slice(0, MAX_TOPIC_LENGTH));
  return [...new Set(names.filter((name) => name !== ''))];
}

function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
