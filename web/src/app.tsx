import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { ChakraProvider } from '@chakra-ui/react';
import { RouterProvider } from 'react-router-dom';
import type { makeRouter } from './routes.tsx';
import { AppBoundary } from './shell/AppBoundary.tsx';
import { system } from './ui/theme/system.ts';

interface AppProps {
  client: ApolloClient;
  router: ReturnType<typeof makeRouter>;
}

export function App({ client, router }: AppProps) {
  return (
    <AppBoundary>
      <ApolloProvider client={client}>
        <ChakraProvider value={system}>
          <RouterProvider router={router} />
        </ChakraProvider>
      </ApolloProvider>
    </AppBoundary>
  );
}
