#include "graph_transforms/support/op_table.hpp"

#include <charconv>
#include <map>

#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/support/type_names.hpp"

namespace mo::graph_transforms {
namespace {

// One op a line: name, inputs, "->", outputs, "|", attributes with their defaults, "!" when it has a state.
// Arguments are name:type, name:N*type (as many as attribute N says), name:T[] (types that attribute T lists); "&" is a
// reference to a variable. Defaults: f1 is a float, shape? unknown. From the definitions that models carry, and the
// documentation of TensorFlow 1.15.
constexpr std::string_view kOps = R"(
Abs x:T -> y:T | T
Acos x:T -> y:T | T
Add x:T y:T -> z:T | T
AddN inputs:N*T -> sum:T | N T
AddV2 x:T y:T -> z:T | T
AdjustContrastv2 images:T contrast_factor:float -> output:T | T=float
All input:bool reduction_indices:Tidx -> output:bool | keep_dims=false Tidx=int32
Any input:bool reduction_indices:Tidx -> output:bool | keep_dims=false Tidx=int32
ApplyAdam var:T& m:T& v:T& beta1_power:T beta2_power:T lr:T beta1:T beta2:T epsilon:T grad:T -> out:T& | T use_locking=false use_nesterov=false
ApplyGradientDescent var:T& alpha:T delta:T -> out:T& | T use_locking=false
ApplyMomentum var:T& accum:T& lr:T grad:T momentum:T -> out:T& | T use_locking=false use_nesterov=false
ArgMax input:T dimension:Tidx -> output:output_type | T Tidx=int32 output_type=int64
ArgMin input:T dimension:Tidx -> output:output_type | T Tidx=int32 output_type=int64
Assert condition:bool data:T[] -> | T summarize=3 !
Assign ref:T& value:T -> output_ref:T& | T validate_shape=true use_locking=true
AssignAdd ref:T& value:T -> output_ref:T& | T use_locking=false
AssignVariableOp resource:resource value:dtype -> | dtype validate_shape=false !
Atan x:T -> y:T | T
AvgPool value:T -> output:T | ksize strides padding data_format="NHWC" T
AvgPool3D input:T -> output:T | ksize strides padding data_format="NDHWC" T
BatchMatMul x:T y:T -> output:T | T adj_x=false adj_y=false
BatchMatMulV2 x:T y:T -> output:T | T adj_x=false adj_y=false
BatchNormWithGlobalNormalization t:T m:T v:T beta:T gamma:T -> result:T | T variance_epsilon scale_after_normalization
BatchToSpaceND input:T block_shape:Tblock_shape crops:Tcrops -> output:T | T Tblock_shape=int32 Tcrops=int32
BiasAdd value:T bias:T -> output:T | T data_format="NHWC"
BiasAddGrad out_backprop:T -> output:T | T data_format="NHWC"
BroadcastGradientArgs s0:T s1:T -> r0:T r1:T | T=int32
BroadcastTo input:T shape:Tidx -> output:T | T Tidx=int32
Cast x:SrcT -> y:DstT | SrcT DstT
Ceil x:T -> y:T | T
CheckNumerics tensor:T -> output:T | T message
Concat concat_dim:int32 values:N*T -> output:T | N T
ConcatOffset concat_dim:int32 shape:N*int32 -> offset:N*int32 | N
ConcatV2 values:N*T axis:Tidx -> output:T | N T Tidx=int32
Const -> output:dtype | value dtype
Conv2D input:T filter:T -> output:T | T strides use_cudnn_on_gpu=true padding data_format="NHWC" dilations=[1,1,1,1]
Conv2DBackpropFilter input:T filter_sizes:int32 out_backprop:T -> output:T | T strides use_cudnn_on_gpu=true padding data_format="NHWC" dilations=[1,1,1,1]
Conv2DBackpropInput input_sizes:int32 filter:T out_backprop:T -> output:T | T strides use_cudnn_on_gpu=true padding data_format="NHWC" dilations=[1,1,1,1]
Conv3D input:T filter:T -> output:T | T strides padding data_format="NDHWC" dilations=[1,1,1,1,1]
Cos x:T -> y:T | T
CropAndResize image:T boxes:float box_ind:int32 crop_size:int32 -> crops:float | T method="bilinear" extrapolation_value=f0
Cumsum x:T axis:Tidx -> out:T | exclusive=false reverse=false T Tidx=int32
DecodeBmp contents:string -> image:uint8 | channels=0
DecodeJpeg contents:string -> image:uint8 | channels=0 ratio=1 fancy_upscaling=true try_recover_truncated=false acceptable_fraction=f1 dct_method=""
DecodePng contents:string -> image:dtype | channels=0 dtype=uint8
DecodeRaw bytes:string -> output:out_type | out_type little_endian=true
DepthToSpace input:T -> output:T | T block_size data_format="NHWC"
DepthwiseConv2dNative input:T filter:T -> output:T | T strides padding data_format="NHWC" dilations=[1,1,1,1]
Dequantize input:T min_range:float max_range:float -> output:float | T mode="MIN_COMBINED"
DisableCopyOnRead resource:resource -> | !
Div x:T y:T -> z:T | T
DivNoNan x:T y:T -> z:T | T
DynamicStitch indices:N*int32 data:N*T -> merged:T | N T
Einsum inputs:N*T -> output:T | equation N T
Elu features:T -> activations:T | T
Enter data:T -> output:T | T frame_name is_constant=false parallel_iterations=10
Equal x:T y:T -> z:bool | T
Erf x:T -> y:T | T
Exit data:T -> output:T | T
Exp x:T -> y:T | T
ExpandDims input:T dim:Tdim -> output:T | T Tdim=int32
FIFOQueueV2 -> handle:resource | component_types shapes=[] capacity=-1 container="" shared_name="" !
FakeQuantWithMinMaxArgs inputs:float -> outputs:float | min=f-6 max=f6 num_bits=8 narrow_range=false
FakeQuantWithMinMaxVars inputs:float min:float max:float -> outputs:float | num_bits=8 narrow_range=false
FakeQuantWithMinMaxVarsPerChannel inputs:float min:float max:float -> outputs:float | num_bits=8 narrow_range=false
Fill dims:index_type value:T -> output:T | T index_type=int32
Floor x:T -> y:T | T
FloorDiv x:T y:T -> z:T | T
FloorMod x:T y:T -> z:T | T
FusedBatchNorm x:T scale:T offset:T mean:T variance:T -> y:T batch_mean:T batch_variance:T reserve_space_1:T reserve_space_2:T | T epsilon=f0.0001 data_format="NHWC" is_training=true
FusedBatchNormV2 x:T scale:U offset:U mean:U variance:U -> y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U | T U epsilon=f0.0001 data_format="NHWC" is_training=true
FusedBatchNormV3 x:T scale:U offset:U mean:U variance:U -> y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U reserve_space_3:U | T U epsilon=f0.0001 exponential_avg_factor=f1 data_format="NHWC" is_training=true
FusedPadConv2D input:T paddings:int32 filter:T -> output:T | T mode strides padding
FusedResizeAndPadConv2D input:T size:int32 paddings:int32 filter:T -> output:T | T resize_align_corners=false mode strides padding
Gather params:Tparams indices:Tindices -> output:Tparams | validate_indices=true Tparams Tindices
GatherNd params:Tparams indices:Tindices -> output:Tparams | Tparams Tindices
GatherV2 params:Tparams indices:Tindices axis:Taxis -> output:Tparams | Tparams Tindices Taxis
Greater x:T y:T -> z:bool | T
GreaterEqual x:T y:T -> z:bool | T
HashTable -> table_handle:string& | container="" shared_name="" use_node_name_sharing=false key_dtype value_dtype !
HashTableV2 -> table_handle:resource | container="" shared_name="" use_node_name_sharing=false key_dtype value_dtype !
Identity input:T -> output:T | T
IdentityN input:T[] -> output:T[] | T
InitializeTable table_handle:string& keys:Tkey values:Tval -> | Tkey Tval !
InstanceNorm x:T gamma:T beta:T mean:T variance:T -> y:T | T epsilon
InvertPermutation x:T -> y:T | T=int32
IsNan x:T -> y:bool | T
L2Loss t:T -> output:T | T
LRN input:T -> output:T | depth_radius=5 bias=f1 alpha=f1 beta=f0.5 T=float
LeakyRelu features:T -> activations:T | alpha=f0.2 T=float
Less x:T y:T -> z:bool | T
LessEqual x:T y:T -> z:bool | T
LinSpace start:T stop:T num:Tidx -> output:T | T Tidx=int32
Log x:T -> y:T | T
Log1p x:T -> y:T | T
LogSoftmax logits:T -> logsoftmax:T | T
LogicalAnd x:bool y:bool -> z:bool |
LogicalNot x:bool -> y:bool |
LogicalOr x:bool y:bool -> z:bool |
LookupTableFind table_handle:string& keys:Tin default_value:Tout -> values:Tout | Tin Tout !
LookupTableFindV2 table_handle:resource keys:Tin default_value:Tout -> values:Tout | Tin Tout !
LoopCond input:bool -> output:bool |
MatMul a:T b:T -> product:T | transpose_a=false transpose_b=false T
Max input:T reduction_indices:Tidx -> output:T | keep_dims=false T Tidx=int32
MaxPool input:T -> output:T | T=float ksize strides padding data_format="NHWC"
MaxPool3D input:T -> output:T | ksize strides padding data_format="NDHWC" T
MaxPoolGrad orig_input:T orig_output:T grad:T -> output:T | ksize strides padding data_format="NHWC" T=float
MaxPoolV2 input:T ksize:int32 strides:int32 -> output:T | T=float padding data_format="NHWC"
MaxPoolWithArgmax input:T -> output:T argmax:Targmax | ksize strides Targmax=int64 padding T
Maximum x:T y:T -> z:T | T
Mean input:T reduction_indices:Tidx -> output:T | keep_dims=false T Tidx=int32
Merge inputs:N*T -> output:T value_index:int32 | T N
MergeSummary inputs:N*string -> summary:string | N
MergeV2Checkpoints checkpoint_prefixes:string destination_prefix:string -> | delete_old_dirs=true !
Min input:T reduction_indices:Tidx -> output:T | keep_dims=false T Tidx=int32
Minimum x:T y:T -> z:T | T
MirrorPad input:T paddings:Tpaddings -> output:T | T Tpaddings=int32 mode
Mod x:T y:T -> z:T | T
Moments x:T axes:Tidx -> mean:T variance:T | T Tidx=int32 keep_dims=false
Mul x:T y:T -> z:T | T
Multinomial logits:T num_samples:int32 -> output:output_dtype | seed=0 seed2=0 T output_dtype=int64 !
MutableHashTableV2 -> table_handle:resource | container="" shared_name="" use_node_name_sharing=false key_dtype value_dtype !
Neg x:T -> y:T | T
NextIteration data:T -> output:T | T
NoOp -> |
NonMaxSuppression boxes:float scores:float max_output_size:int32 -> selected_indices:int32 | iou_threshold=f0.5
NonMaxSuppressionV2 boxes:T scores:T max_output_size:int32 iou_threshold:T -> selected_indices:int32 | T=float
NonMaxSuppressionV3 boxes:T scores:T max_output_size:int32 iou_threshold:T score_threshold:T -> selected_indices:int32 | T=float
NotEqual x:T y:T -> z:bool | T
OneHot indices:TI depth:int32 on_value:T off_value:T -> output:T | axis=-1 T TI=int64
OnesLike x:T -> y:T | T
Pack values:N*T -> output:T | N T axis=0
Pad input:T paddings:Tpaddings -> output:T | T Tpaddings=int32
PadV2 input:T paddings:Tpaddings constant_values:T -> output:T | T Tpaddings=int32
ParseExample serialized:string names:string sparse_keys:Nsparse*string dense_keys:Ndense*string dense_defaults:Tdense[] -> sparse_indices:Nsparse*int64 sparse_values:sparse_types[] sparse_shapes:Nsparse*int64 dense_values:Tdense[] | Nsparse Ndense sparse_types Tdense dense_shapes
ParseExampleV2 serialized:string names:string sparse_keys:string dense_keys:string ragged_keys:string dense_defaults:Tdense[] -> sparse_indices:num_sparse*int64 sparse_values:sparse_types[] sparse_shapes:num_sparse*int64 dense_values:Tdense[] ragged_values:ragged_value_types[] ragged_row_splits:ragged_split_types[] | Tdense num_sparse sparse_types ragged_value_types ragged_split_types dense_shapes
ParseSingleExample serialized:string dense_defaults:Tdense[] -> sparse_indices:num_sparse*int64 sparse_values:sparse_types[] sparse_shapes:num_sparse*int64 dense_values:Tdense[] | num_sparse sparse_keys dense_keys sparse_types Tdense dense_shapes
PartitionedCall args:Tin[] -> output:Tout[] | Tin Tout f config="" config_proto="" executor_type=""
Placeholder -> output:dtype | dtype shape=shape?
PlaceholderV2 -> output:dtype | dtype shape
PlaceholderWithDefault input:dtype -> output:dtype | dtype shape
Pow x:T y:T -> z:T | T
PreventGradient input:T -> output:T | T message=""
Print input:T data:U[] -> output:T | T U message="" first_n=-1 summarize=3 !
Prod input:T reduction_indices:Tidx -> output:T | keep_dims=false T Tidx=int32
QuantizeDownAndShrinkRange input:Tinput input_min:float input_max:float -> output:out_type output_min:float output_max:float | Tinput out_type
QuantizeV2 input:float min_range:float max_range:float -> output:T output_min:float output_max:float | T mode="MIN_COMBINED" round_mode="HALF_AWAY_FROM_ZERO"
QuantizedAdd x:T1 y:T2 min_x:float max_x:float min_y:float max_y:float -> z:Toutput min_z:float max_z:float | T1 T2 Toutput=qint32
QuantizedAvgPool input:T min_input:float max_input:float -> output:T min_output:float max_output:float | T ksize strides padding
QuantizedBiasAdd input:T1 bias:T2 min_input:float max_input:float min_bias:float max_bias:float -> output:out_type min_out:float max_out:float | T1 T2 out_type
QuantizedConcat concat_dim:int32 values:N*T input_mins:N*float input_maxes:N*float -> output:T output_min:float output_max:float | N T
QuantizedConv2D input:Tinput filter:Tfilter min_input:float max_input:float min_filter:float max_filter:float -> output:out_type min_output:float max_output:float | Tinput Tfilter out_type=qint32 strides padding dilations=[1,1,1,1]
QuantizedMatMul a:T1 b:T2 min_a:float max_a:float min_b:float max_b:float -> out:Toutput min_out:float max_out:float | T1 T2 Toutput=qint32 transpose_a=false transpose_b=false Tactivation=quint8
QuantizedMaxPool input:T min_input:float max_input:float -> output:T min_output:float max_output:float | T ksize strides padding
QuantizedMul x:T1 y:T2 min_x:float max_x:float min_y:float max_y:float -> z:Toutput min_z:float max_z:float | T1 T2 Toutput=qint32
QuantizedRelu features:Tinput min_features:float max_features:float -> activations:out_type min_activations:float max_activations:float | Tinput out_type=quint8
QuantizedRelu6 features:Tinput min_features:float max_features:float -> activations:out_type min_activations:float max_activations:float | Tinput out_type=quint8
QuantizedReshape tensor:T shape:Tshape input_min:float input_max:float -> output:T output_min:float output_max:float | T Tshape=int32
QuantizedResizeBilinear images:T size:int32 min:float max:float -> resized_images:T out_min:float out_max:float | T align_corners=false
QueueCloseV2 handle:resource -> | cancel_pending_enqueues=false !
QueueDequeueManyV2 handle:resource n:int32 -> components:component_types[] | component_types timeout_ms=-1 !
QueueEnqueueManyV2 handle:resource components:Tcomponents[] -> | Tcomponents timeout_ms=-1 !
QueueEnqueueV2 handle:resource components:Tcomponents[] -> | Tcomponents timeout_ms=-1 !
QueueSizeV2 handle:resource -> size:int32 | !
RandomShuffle value:T -> output:T | seed=0 seed2=0 T !
RandomStandardNormal shape:T -> output:dtype | seed=0 seed2=0 dtype T !
RandomUniform shape:T -> output:dtype | seed=0 seed2=0 dtype T !
RandomUniformInt shape:T minval:Tout maxval:Tout -> output:Tout | seed=0 seed2=0 Tout T !
Range start:Tidx limit:Tidx delta:Tidx -> output:Tidx | Tidx=int32
Rank input:T -> output:int32 | T
ReadVariableOp resource:resource -> value:dtype | dtype !
ReaderReadV2 reader_handle:resource queue_handle:resource -> key:string value:string | !
RealDiv x:T y:T -> z:T | T
Reciprocal x:T -> y:T | T
RefSwitch data:T& pred:bool -> output_false:T& output_true:T& | T
Relu features:T -> activations:T | T
Relu6 features:T -> activations:T | T
ReluGrad gradients:T features:T -> backprops:T | T
RequantizationRange input:Tinput input_min:float input_max:float -> output_min:float output_max:float | Tinput
Requantize input:Tinput input_min:float input_max:float requested_output_min:float requested_output_max:float -> output:out_type output_min:float output_max:float | Tinput out_type
Reshape tensor:T shape:Tshape -> output:T | T Tshape=int32
ResizeBicubic images:T size:int32 -> resized_images:float | T align_corners=false
ResizeBilinear images:T size:int32 -> resized_images:float | T align_corners=false
ResizeNearestNeighbor images:T size:int32 -> resized_images:T | T align_corners=false
RestoreV2 prefix:string tensor_names:string shape_and_slices:string -> tensors:dtypes[] | dtypes !
ReverseSequence input:T seq_lengths:Tlen -> output:T | seq_dim batch_dim=0 T Tlen=int64
ReverseV2 tensor:T axis:Tidx -> output:T | Tidx=int32 T
Round x:T -> y:T | T
Rsqrt x:T -> y:T | T
SaveV2 prefix:string tensor_names:string shape_and_slices:string tensors:dtypes[] -> | dtypes !
ScalarSummary tags:string values:T -> summary:string | T
ScatterNd indices:Tindices updates:T shape:Tindices -> output:T | T Tindices
Select condition:bool t:T e:T -> output:T | T
SelectV2 condition:bool t:T e:T -> output:T | T
Selu features:T -> activations:T | T
Shape input:T -> output:out_type | T out_type=int32
ShapeN input:N*T -> output:N*out_type | N T out_type=int32
ShardedFilename basename:string shard:int32 num_shards:int32 -> filename:string |
Sigmoid x:T -> y:T | T
Sign x:T -> y:T | T
Sin x:T -> y:T | T
Size input:T -> output:out_type | T out_type=int32
Slice input:T begin:Index size:Index -> output:T | T Index
Softmax logits:T -> softmax:T | T
SoftmaxCrossEntropyWithLogits features:T labels:T -> loss:T backprop:T | T
Softplus features:T -> activations:T | T
Softsign features:T -> activations:T | T
SpaceToBatchND input:T block_shape:Tblock_shape paddings:Tpaddings -> output:T | T Tblock_shape=int32 Tpaddings=int32
SpaceToDepth input:T -> output:T | T block_size data_format="NHWC"
SparseSoftmaxCrossEntropyWithLogits features:T labels:Tlabels -> loss:T backprop:T | T Tlabels=int64
SparseToDense sparse_indices:Tindices output_shape:Tindices sparse_values:T default_value:T -> dense:T | validate_indices=true T Tindices
Split split_dim:int32 value:T -> output:num_split*T | num_split T
SplitV value:T size_splits:Tlen split_dim:int32 -> output:num_split*T | num_split T Tlen=int64
Sqrt x:T -> y:T | T
Square x:T -> y:T | T
SquaredDifference x:T y:T -> z:T | T
Squeeze input:T -> output:T | T squeeze_dims=[]
StatefulPartitionedCall args:Tin[] -> output:Tout[] | Tin Tout f config="" config_proto="" executor_type="" !
StaticRegexFullMatch input:string -> output:bool | pattern
StopGradient input:T -> output:T | T
StridedSlice input:T begin:Index end:Index strides:Index -> output:T | T Index begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 shrink_axis_mask=0
StringJoin inputs:N*string -> output:string | N separator=""
Sub x:T y:T -> z:T | T
Sum input:T reduction_indices:Tidx -> output:T | keep_dims=false T Tidx=int32
Switch data:T pred:bool -> output_false:T output_true:T | T
TFRecordReaderV2 -> reader_handle:resource | container="" shared_name="" compression_type="" !
Tan x:T -> y:T | T
Tanh x:T -> y:T | T
TensorArrayCloseV3 handle:resource -> | !
TensorArrayConcatV3 handle:resource flow_in:float -> value:dtype lengths:int64 | dtype element_shape_except0=shape? !
TensorArrayGatherV3 handle:resource indices:int32 flow_in:float -> value:dtype | dtype element_shape=shape? !
TensorArrayGradV3 handle:resource flow_in:float -> grad_handle:resource flow_out:float | source !
TensorArrayReadV3 handle:resource index:int32 flow_in:float -> value:dtype | dtype !
TensorArrayScatterV3 handle:resource indices:int32 value:T flow_in:float -> flow_out:float | T !
TensorArraySizeV3 handle:resource flow_in:float -> size:int32 | !
TensorArraySplitV3 handle:resource value:T lengths:int64 flow_in:float -> flow_out:float | T !
TensorArrayV3 size:int32 -> handle:resource flow:float | dtype element_shape=shape? dynamic_size=false clear_after_read=true identical_element_shapes=false tensor_array_name="" !
TensorArrayWriteV3 handle:resource index:int32 value:T flow_in:float -> flow_out:float | T !
Tile input:T multiples:Tmultiples -> output:T | T Tmultiples=int32
TopKV2 input:T k:int32 -> values:T indices:int32 | sorted=true T
Transpose x:T perm:Tperm -> y:T | T Tperm=int32
TruncatedNormal shape:T -> output:dtype | seed=0 seed2=0 dtype T !
Unique x:T -> y:T idx:out_idx | T out_idx=int32
Unpack value:T -> output:num*T | num T axis=0
UnsortedSegmentSum data:T segment_ids:Tindices num_segments:Tnumsegments -> output:T | T Tindices Tnumsegments=int32
VarHandleOp -> resource:resource | container="" shared_name="" dtype shape allowed_devices=[] !
VarIsInitializedOp resource:resource -> is_initialized:bool | !
Variable -> ref:dtype& | shape dtype container="" shared_name="" !
VariableV2 -> ref:dtype& | shape dtype container="" shared_name="" !
Where input:T -> index:int64 | T=bool
ZerosLike x:T -> y:T | T
)";

using Table = std::map<std::string, OpDefinition, std::less<>>;

std::string_view next_word(std::string_view& line) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

OpDefinition::Output output_of(std::string_view word) {
  OpDefinition::Output output;
  std::string_view type = word.substr(word.find(':') + 1);
  if (const std::size_t star = type.find('*'); star != std::string_view::npos) {
    output.count = type.substr(0, star);
    type.remove_prefix(star + 1);
  }
  if (type.ends_with("[]")) {
    output.is_list = true;
    type.remove_suffix(2);
  }
  output.type = type;
  return output;
}

AttributeValue default_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  if (text == "shape?") return PartialShape();
  if (text.starts_with('"')) return text.substr(1, text.size() - 2);
  if (text.starts_with('[')) {
    std::vector<std::int64_t> numbers;
    for (std::string_view rest = text.substr(1); rest.size() > 1;) {
      std::int64_t number = 0;
      const char* const end = std::from_chars(rest.data(), rest.data() + rest.size(), number).ptr;
      numbers.push_back(number);
      rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + (*end == ',' ? 1 : 0));
    }
    return numbers;
  }
  std::int64_t integer = 0;
  if (const auto [end, cause] = std::from_chars(text.data(), text.data() + text.size(), integer);
      cause == std::errc() && end == text.data() + text.size())
    return integer;
  double real = 0;
  if (text.starts_with('f') &&
      std::from_chars(text.data() + 1, text.data() + text.size(), real).ptr == text.data() + text.size())
    return real;
  auto type = type_named(text);
  MO_ASSERT(type, "a default of an op is not a value");
  return *std::move(type);
}

OpDefinition definition_of(std::string_view line) {
  OpDefinition op;
  op.name = next_word(line);
  while (next_word(line) != "->") continue;
  for (std::string_view word = next_word(line); word != "|"; word = next_word(line))
    op.outputs.push_back(output_of(word));
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (word == "!") {
      op.is_stateful = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    op.attributes.push_back({std::string(word.substr(0, equals)), equals == std::string_view::npos
                                                                      ? AttributeValue()
                                                                      : default_of(word.substr(equals + 1))});
  }
  return op;
}

const Table& table() {
  static const Table kTable = [] {
    Table made;
    for (std::string_view rest = kOps.substr(1); !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(line.size() + 1);
      OpDefinition op = definition_of(line);
      made.emplace(op.name, std::move(op));
    }
    return made;
  }();
  return kTable;
}

/// The value of an attribute of the node, or its default.
AttributeValue value_of(const Node& node, const OpDefinition& op, std::string_view name) {
  if (AttributeValue given = node.attribute(name); !given.is_none()) return given;
  for (const OpDefinition::Attribute& attribute : op.attributes)
    if (attribute.name == name) return attribute.value;
  return {};
}

bool is_attribute(const OpDefinition& op, std::string_view name) {
  return std::any_of(op.attributes.begin(), op.attributes.end(),
                     [&](const OpDefinition::Attribute& a) { return a.name == name; });
}

}  // namespace

const OpDefinition* find_op_definition(std::string_view op) {
  const auto found = table().find(op);
  return found == table().end() ? nullptr : &found->second;
}

std::optional<std::vector<AttributeValue>> output_types_of(const Node& node) {
  const OpDefinition* const op = find_op_definition(op_of(node));
  if (!op) return std::nullopt;
  std::vector<AttributeValue> types;
  for (const OpDefinition::Output& output : op->outputs) {
    const std::string_view name = std::string_view(output.type).substr(0, output.type.find('&'));
    AttributeValue type;
    if (is_attribute(*op, name))
      type = value_of(node, *op, name);
    else if (auto named = type_named(name))
      type = *std::move(named);
    if (output.is_list) {
      const AttributeList* const listed = type.get_if<AttributeList>();
      if (!listed) return std::nullopt;
      types.insert(types.end(), listed->begin(), listed->end());
      continue;
    }
    if (type.is_none()) return std::nullopt;
    std::int64_t count = 1;
    if (!output.count.empty()) {
      const AttributeValue given = value_of(node, *op, output.count);
      const std::int64_t* const number = given.get_if<std::int64_t>();
      constexpr std::int64_t kMost = std::int64_t{1} << 20;
      if (!number || *number < 0 || *number > kMost) return std::nullopt;
      count = *number;
    }
    types.insert(types.end(), static_cast<std::size_t>(count), type);
  }
  return types;
}

}  // namespace mo::graph_transforms
