/** A view in the navigation. */
export interface NavItem {
  path: string;
  label: string;
  /** Whether it can compare several markets, so that its link keeps the selection. */
  compares?: boolean;
  /** Whether its link leads to it as the reader left it; from the view itself, to all of it. */
  keeps?: boolean;
  /** Loads what the view needs, once the reader is about to open it. */
  prepare?: () => void;
}
