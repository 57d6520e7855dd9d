//! gRPC (tonic) over a Unix socket. Both sides have a runtime of one thread, which is the least that they can do.

use std::hint::black_box;
use std::io;
use std::os::unix::net::UnixStream;

use hyper_util::rt::TokioIo;
use tokio::runtime::{Builder, Runtime};
use tokio_stream::StreamExt;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status, Streaming};
use tower::service_fn;

use crate::Rival;

/// A number.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Number {
    #[prost(uint64, tag = "1")]
    value: u64,
}

/// A call that nobody waits for.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Note {
    #[prost(uint64, tag = "1")]
    first: u64,
    #[prost(uint64, tag = "2")]
    second: u64,
}

/// Bytes.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Data {
    #[prost(bytes = "vec", tag = "1")]
    bytes: Vec<u8>,
}

mod generated {
    #![allow(clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/rivals.Calls.rs"));
}

use generated::calls_client::CallsClient;
use generated::calls_server::{Calls, CallsServer};

/// Windows in which the largest message fits: with those that HTTP/2 begins with it would wait for the other side.
const WINDOW: u32 = 4 << 20;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn stream(socket: UnixStream) -> io::Result<tokio::net::UnixStream> {
    socket.set_nonblocking(true)?;
    tokio::net::UnixStream::from_std(socket)
}

struct Service;

#[tonic::async_trait]
impl Calls for Service {
    async fn number(&self, asked: Request<Number>) -> Result<Response<Number>, Status> {
        Ok(Response::new(Number { value: asked.into_inner().value + 1 }))
    }

    async fn page(&self, asked: Request<Data>) -> Result<Response<Data>, Status> {
        Ok(Response::new(asked.into_inner()))
    }

    async fn take(&self, asked: Request<Data>) -> Result<Response<Number>, Status> {
        let first = asked.into_inner().bytes.first().copied().unwrap_or_default();
        Ok(Response::new(Number { value: first.into() }))
    }

    async fn notes(&self, asked: Request<Streaming<Note>>) -> Result<Response<Number>, Status> {
        let (mut notes, mut value) = (asked.into_inner(), 0);
        while let Some(note) = notes.message().await? {
            black_box(note.first + note.second);
            value += 1;
        }
        Ok(Response::new(Number { value }))
    }
}

/// Serves one connection, for as long as this process is there.
pub fn serve(socket: UnixStream) {
    runtime().block_on(async {
        // Without another connection it would take the server for done.
        let connections = tokio_stream::once(stream(socket)).chain(tokio_stream::pending());
        let server = Server::builder().initial_stream_window_size(WINDOW).initial_connection_window_size(WINDOW);
        let service = CallsServer::new(Service);
        { server }.add_service(service).serve_with_incoming(connections).await.unwrap();
    });
}

/// The program's side.
pub struct Client {
    runtime: Runtime,
    calls: CallsClient<Channel>,
}

impl Client {
    pub fn new(socket: UnixStream) -> Client {
        let (runtime, mut socket) = (runtime(), Some(socket));
        let connector = service_fn(move |_| {
            let socket = socket.take().ok_or(io::ErrorKind::NotConnected.into());
            async { socket.and_then(stream).map(TokioIo::new) }
        });
        let endpoint = Endpoint::from_static("http://rivals");
        let endpoint = endpoint.initial_stream_window_size(WINDOW).initial_connection_window_size(WINDOW);
        let channel = runtime.block_on(endpoint.connect_with_connector(connector)).unwrap();
        Client { runtime, calls: CallsClient::new(channel) }
    }
}

impl Rival for Client {
    fn number(&mut self, value: u64) -> u64 {
        self.runtime.block_on(self.calls.number(Number { value })).unwrap().into_inner().value
    }

    fn page(&mut self, from: &[u8], to: &mut [u8]) {
        let asked = self.calls.page(Data { bytes: from.to_vec() });
        to.copy_from_slice(&self.runtime.block_on(asked).unwrap().into_inner().bytes);
    }

    fn take(&mut self, bytes: &[u8]) {
        self.runtime.block_on(self.calls.take(Data { bytes: bytes.to_vec() })).unwrap();
    }

    fn notes(&mut self, count: u64) {
        let notes = tokio_stream::iter((0..count).map(|first| Note { first, second: 1 }));
        let done = self.runtime.block_on(self.calls.notes(notes)).unwrap().into_inner().value;
        assert_eq!(done, count);
    }
}
