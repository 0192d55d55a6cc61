import type { VNode } from 'preact';
import { Badge, type Tone } from '../../core/ui/components/content.js';
import { visibilityName, type VisibilityName } from '../visibility.js';

const TONES: Record<VisibilityName, Tone> = {
  private: 'neutral',
  internal: 'info',
  public: 'success',
};

/** Visibility of a group, project or snippet, as a word. */
export function VisibilityBadge({ level }: { level: number }): VNode {
  const name = visibilityName(level);
  return <Badge tone={TONES[name]}>{`${name.charAt(0).toUpperCase()}${name.slice(1)}`}</Badge>;
}
