import type { FrameDetails } from '../../../events/trace-details.js';

/** A frame and its place in the stack as it is read: the newest call is 0. */
export interface PlacedFrame {
  frame: FrameDetails;
  place: number;
}

/** Frames that stand together: one of the program, or a run of those of its libraries. */
export interface FrameBlock {
  kind: 'own' | 'library';
  frames: PlacedFrame[];
}

/**
 * The frames as people read them, the newest call first, each run of library frames in one block.
 * Where none is the program's own, all count as its own: there is nothing to fold around.
 */
export function frameBlocks(frames: readonly FrameDetails[]): FrameBlock[] {
  const hasOwn = frames.some(({ isInApp }) => isInApp);
  const blocks: FrameBlock[] = [];
  for (const [place, frame] of frames.toReversed().entries()) {
    const kind = frame.isInApp || !hasOwn ? 'own' : 'library';
    const last = blocks.at(-1);
    if (kind === 'library' && last?.kind === 'library') last.frames.push({ frame, place });
    else blocks.push({ kind, frames: [{ frame, place }] });
  }
  return blocks;
}
