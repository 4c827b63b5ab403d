//! The fixed files of a page.

use std::io::Write;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::cache::takes_gzip;

/// A file of a page that stays the same while the program runs. Browsers that accept gzip get it compressed, and those
/// that have it already are told so. Clones are the same file.
#[derive(Clone, Debug)]
pub struct StaticFile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The content type.
    kind: &'static str,
    /// The content security policy.
    policy: HeaderValue,
    plain: Bytes,
    compressed: Bytes,
    /// The entity tag: a hash of the text and its policy, which browsers keep together.
    tag: HeaderValue,
}

impl StaticFile {
    /// A file of this content type, under this content security policy.
    ///
    /// # Panics
    ///
    /// When the policy has other characters than visible ASCII.
    #[must_use]
    pub fn new(kind: &'static str, policy: &str, text: impl Into<Bytes>) -> Self {
        const NEVER: &str = "writing into memory does not fail";
        let plain = text.into();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain).expect(NEVER);
        let compressed = encoder.finish().expect(NEVER).into();
        let hash = Sha256::new().chain_update(policy).chain_update(&plain);
        let hash: [u8; 32] = hash.finalize().into();
        let hash = hash[..8].iter().fold(0, |hash, byte| hash << 8 | u64::from(*byte));
        // The tag is weak, since it is the same with and without compression (RFC 9110, section 8.8.1).
        let tag = HeaderValue::try_from(format!("W/\"{hash:016x}\"")).expect("it is ASCII");
        let policy = HeaderValue::try_from(policy).expect("policies are visible ASCII");
        Self(Arc::new(Inner { kind, policy, plain, compressed, tag }))
    }

    /// The response to a request with these headers.
    pub fn answer(&self, request: &HeaderMap) -> Response {
        let Inner { kind, policy, plain, compressed, tag } = &*self.0;
        let revalidation: [(HeaderName, HeaderValue); 3] = [
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::ETAG, tag.clone()),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if has(request, tag) {
            return (StatusCode::NOT_MODIFIED, revalidation).into_response();
        }
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CONTENT_SECURITY_POLICY, policy.clone()),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        ];
        if takes_gzip(request) {
            let encoding = [(header::CONTENT_ENCODING, "gzip")];
            (revalidation, headers, encoding, compressed.clone()).into_response()
        } else {
            (revalidation, headers, plain.clone()).into_response()
        }
    }
}

/// Tests if the sender of a request has the file with this tag.
fn has(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let strip = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_owned();
    let known = request.get_all(header::IF_NONE_MATCH).iter();
    let mut tags = known.flat_map(|tags| tags.as_bytes().split(|byte| *byte == b','));
    tags.any(|known| {
        let known = known.trim_ascii();
        known == b"*" || strip(known) == strip(tag.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    async fn answer(part: &StaticFile, request: &[(HeaderName, &str)]) -> (Response, Vec<u8>) {
        let headers = request.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
        let (head, body) = part.answer(&headers.collect()).into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        (Response::from_parts(head, ().into_response().into_body()), body.into())
    }

    #[tokio::test]
    async fn static_file_is_compressed_on_request_and_revalidated_by_its_tag() {
        let text = "const LETTERS = 26; ".repeat(1000);
        let part = StaticFile::new("text/javascript", "default-src 'none'", text.clone());
        let (plain, body) = answer(&part, &[]).await;
        assert_eq!((plain.status(), body), (StatusCode::OK, text.clone().into_bytes()));
        assert_eq!(plain.headers()[header::CONTENT_TYPE], "text/javascript");
        assert_eq!(plain.headers()[header::CONTENT_SECURITY_POLICY], "default-src 'none'");
        let gzip = (header::ACCEPT_ENCODING, "br, gzip");
        let (compressed, body) = answer(&part, std::slice::from_ref(&gzip)).await;
        assert_eq!(compressed.headers()[header::CONTENT_ENCODING], "gzip");
        assert!(body.len() < text.len() / 10, "{}", body.len());
        let mut decoded = String::new();
        GzDecoder::new(&body[..]).read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, text);

        let tag = plain.headers()[header::ETAG].to_str().unwrap();
        assert_eq!(compressed.headers()[header::ETAG], tag);
        let strong = tag.trim_start_matches("W/");
        for known in [tag, strong, "*", &format!("\"x\", {tag}")] {
            let request = [gzip.clone(), (header::IF_NONE_MATCH, known)];
            let (again, body) = answer(&part, &request).await;
            assert_eq!((again.status(), body.len()), (StatusCode::NOT_MODIFIED, 0), "{known}");
            assert_eq!(again.headers()[header::ETAG], tag);
        }
        for (policy, text) in
            [("default-src 'none'", "const LETTERS = 27;"), ("default-src 'self'", &text)]
        {
            let other = StaticFile::new("text/javascript", policy, text.to_owned());
            let (changed, _) = answer(&other, &[(header::IF_NONE_MATCH, tag)]).await;
            assert_eq!(changed.status(), StatusCode::OK, "{policy}");
        }
    }
}
