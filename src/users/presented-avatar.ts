/** URL of an avatar. */
export interface PresentedAvatar {
  /** null without one. */
  avatar_url: string | null;
}
