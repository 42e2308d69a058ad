import { Component, type ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  readonly children: ReactNode;
  /** Called before the part is shown again, to forget what made it fail. */
  readonly onRetry?: () => void;
}

/** A part of a page that fails alone: the rest of the page goes on. */
export class PartBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  readonly #retry = () => {
    this.props.onRetry?.();
    this.setState({ error: undefined });
  };

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <ErrorNotice error={this.state.error} onRetry={this.#retry} />;
  }
}
