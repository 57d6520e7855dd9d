//! Writes client and server of the rival's service, of what is said here: so nobody needs `protoc`.

use tonic_build::manual::{Builder, Method, Service};

fn main() {
    let method = |name: &str, route: &str, input: &str, output: &str| {
        let method = Method::builder().name(name).route_name(route).codec_path("tonic_prost::ProstCodec");
        method.input_type(format!("crate::grpc::{input}")).output_type(format!("crate::grpc::{output}"))
    };
    let service = Service::builder()
        .name("Calls")
        .package("rivals")
        .method(method("number", "Number", "Number", "Number").build())
        .method(method("page", "Page", "Data", "Data").build())
        .method(method("take", "Take", "Data", "Number").build())
        .method(method("notes", "Notes", "Note", "Number").client_streaming().build());
    Builder::new().compile(&[service.build()]);
}
