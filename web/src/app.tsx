import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { ChakraProvider } from '@chakra-ui/react';
import { Component, type ReactNode } from 'react';
import { system } from './ui/theme/system.ts';

interface AppProps {
  client: ApolloClient;
  /** The router with the pages. */
  children: ReactNode;
}

export function App({ client, children }: AppProps) {
  return (
    <AppBoundary>
      <ApolloProvider client={client}>
        <ChakraProvider value={system}>{children}</ChakraProvider>
      </ApolloProvider>
    </AppBoundary>
  );
}

/** Shows errors from outside every page, so that the screen is never empty. It uses no part that could break as well. */
class AppBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main
        style={{
          maxWidth: '34rem',
          margin: '20vh auto',
          padding: '0 1rem',
          font: '1rem/1.5 system-ui',
          color: 'CanvasText',
        }}
      >
        <h1>LotWatch stopped working</h1>
        <p>Your alerts stay active. Reload the page. If this happens again, start from the home page.</p>
        <p>
          <button type="button" style={{ font: 'inherit', padding: '0.6rem 1rem' }} onClick={() => location.reload()}>
            Try Again
          </button>{' '}
          <a href="/" style={{ color: 'LinkText', padding: '0.6rem' }}>
            Home
          </a>
        </p>
      </main>
    );
  }
}
